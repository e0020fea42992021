"""Pages of the lobby beside its list: models, imported files, the cost of campaigns, and their removal."""
