"""The schema: what an author may write in each file, said once, read into records and told to editors.

Nothing here knows what a condition means or whether a name exists; `build` does.
"""
