"""JSON for other processes: views, events and results.

Nothing is decided here. Unknown members are ignored.
"""
