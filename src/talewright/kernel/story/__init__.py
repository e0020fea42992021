"""Story: what an author writes (triggers, scenes, endings, cast, texts) and the rules on it.

Words stand in texts, never in rules.
"""
