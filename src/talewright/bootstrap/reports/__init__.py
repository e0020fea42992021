"""The reports of installed systems, found without loading the systems."""
