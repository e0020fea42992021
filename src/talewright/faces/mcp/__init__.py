"""The MCP face: an assistant narrates a campaign as its game master, or plays one for its player.

Every request is served from the record, as if each came to another process.
"""
