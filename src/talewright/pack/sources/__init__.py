"""Sources: what an author wrote in each file, as typed records with places.

Nothing here knows what a condition means or whether a name exists; the readers beside this folder do.
"""
