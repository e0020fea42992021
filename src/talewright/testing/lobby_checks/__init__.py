"""The checks of the lobby suite, by subject.

`lobby_suite` lists them; they do not depend on how a lobby is made.
"""
