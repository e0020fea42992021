"""The guards around the API: what requests may come in, the login of a browser, and the end of open streams.

They know no routes of the API.
"""
