"""The schema: declares what each file of a game may contain; reads files, and describes them to editors.

Whether a condition is valid or a name exists is checked in `build`.
"""
