"""State documents: JSON, paths into it, its changes, and the state of a campaign.

Slots say what is allowed; nothing here checks that.
"""
