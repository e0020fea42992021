"""The guards around the API: which requests are let in, the browser login, and how open streams end.

They know no routes of the API.
"""
