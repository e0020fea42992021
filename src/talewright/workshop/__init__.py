"""The workshop: tools for authors and for people who choose a model, such as model examinations.

It plays through the same Lobby and Session as any player, and reads the records.
"""
