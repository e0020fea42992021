"""Commands that work on an existing campaign.

They parse options and print; `play` does the work.
"""
