"""Memory: what is kept of a solo campaign's past turns: headings, pages, summaries of days.

Derived from the state and the past turns; it rules on nothing.
"""
