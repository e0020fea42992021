"""Pages around the lobby's list: models, imported files, what campaigns cost, and removing them."""
