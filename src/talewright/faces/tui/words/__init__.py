"""The words of the terminal interface in English and Chinese, one module for each part.

Texts of the game and the engine come from the views.
"""
