"""People: where they are, what they know, and how they are found."""
