"""JSON for other processes: views, news and signals.

Nothing is decided here. Unknown members are ignored.
"""
