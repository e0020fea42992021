"""Pages for looking back: the tree, comparisons, the book, receipts and the ending.

They only read; the session moves to other turns and branches.
"""
