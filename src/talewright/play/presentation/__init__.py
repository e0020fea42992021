"""What one viewer is shown: views and their words, made from commits and states.

What a viewer may not see is left out here and nowhere else.
"""
