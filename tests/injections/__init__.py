"""The injection corpus: hostile texts through every channel, told to a model that obeys them all."""
