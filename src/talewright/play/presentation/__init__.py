"""Presentation: views and their texts for one viewer, made from commits and states.

Everything that a viewer may not see is removed here and nowhere else.
"""
