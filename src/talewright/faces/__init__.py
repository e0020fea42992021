"""Faces: how a person meets a game, each a plug on `play/lobby.py`.

A face draws views and passes on words; it never sees a state, a store or a model.
"""
