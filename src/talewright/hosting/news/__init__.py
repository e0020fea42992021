"""News over Redis Streams: live signals travel from workers to every node.

Redis may lose everything at any time: a preview goes, no turn does.
"""
