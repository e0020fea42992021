"""Commands that work on a campaign that was begun.

What is done to it is the Session's and the Chronicle's business.
"""
