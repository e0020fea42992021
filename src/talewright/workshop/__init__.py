"""The workshop: tools for authors and for people who choose a model, such as the examination of a model.

It plays through the same Lobby and Session as any player, and reads what is recorded.
"""
