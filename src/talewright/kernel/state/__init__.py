"""State documents: JSON, paths into it, its changes, and the state of a campaign.

Slots say what may stand there; here nobody asks whether a change was allowed.
"""
