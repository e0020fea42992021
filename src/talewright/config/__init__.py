"""Settings as values: which models there are, which one tells what, and what may be spent on it.

Nothing is asked of a model here, and no key is ever shown or written.
"""
