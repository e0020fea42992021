"""The pages of a campaign: the files that a person reads and edits, and their git history.

They are written after a turn is safe; a failure never affects a turn.
"""
