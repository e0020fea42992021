"""Pages for looking back: the tree, comparisons, the book, receipts and the ending.

They read; going elsewhere in a campaign is left to its session.
"""
