"""The words around a game's own: what the engine itself says to a model, in English and Chinese.

Words only. Which of them are said when is the business of the sections.
"""
