"""Pages for authors: the games being worked on, the table with live reload, and the inspector.

They show what players do not see, and exist only on servers that have a workbench.
"""
