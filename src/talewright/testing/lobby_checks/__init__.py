"""The checks of the lobby suite, by subject.

`lobby_suite` lists them; nothing here knows how a lobby is made.
"""
