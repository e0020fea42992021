"""The mathematics of the spiral, for `bench/spiral.py` and the page `docs/play/spiral.md`.

Nothing here is part of the engine; the rules it works on are the engine's own.
"""
