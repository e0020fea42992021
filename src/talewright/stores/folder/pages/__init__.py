"""The pages of a campaign's folder: what a person reads and edits there, and its git history.

Made from the records after a turn is safe; none of it can make a turn fail.
"""
