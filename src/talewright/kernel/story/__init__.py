"""Story: what an author writes (triggers, scenes, endings, cast, texts), and the rules for it.

All wording is in texts, never in rules.
"""
