"""News over Redis Streams: carries live signals from workers to every node.

Redis may lose everything at any time: that loses a preview, never a turn.
"""
