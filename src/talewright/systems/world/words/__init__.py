"""The world's words to narrators and players, in every supported language."""
