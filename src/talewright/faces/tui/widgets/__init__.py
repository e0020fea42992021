"""Widgets that several screens share: dialogs, the key bar, wrapped text, meters, opening a campaign.

They belong to no screen, and know none.
"""
