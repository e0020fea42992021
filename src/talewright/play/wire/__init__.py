"""JSON for other processes: views, events and signals.

Nothing is decided here. Unknown members are ignored.
"""
