"""The browser face: pages on the HTTP API that work without scripts and become live with them.

It sees only what a player sees.
"""
