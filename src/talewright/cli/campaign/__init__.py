"""Commands that work on an existing campaign.

The Session and the Chronicle do the work.
"""
