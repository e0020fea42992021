"""The parser of rulebooks: from Markdown to the parts of a rulebook, one file for each kind of section.

It reads text and never fails; what it does not understand is left to the narrator.
"""
