"""Widgets shared by several screens: dialogs, key bar, wrapped text, meters, opening a campaign.

They know nothing of the screens that use them.
"""
