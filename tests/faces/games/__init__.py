"""Games for the faces alone: small, and never changed for another reason."""

from pathlib import Path

THREE_GOBLINS = Path(__file__).parent / "three_goblins"
"""A check, and a fight with three goblins."""
