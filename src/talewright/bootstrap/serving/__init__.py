"""The server: its launcher, the MCP face beside the API, and the notice about shared saves.

`talewright mcp` has its own launcher, which serves one game without the API.
"""
