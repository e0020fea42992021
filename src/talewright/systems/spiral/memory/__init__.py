"""Memory: what remains of a solo campaign's past turns: headings, pages, summaries of days.

Made from the state and the past turns; it rules on nothing.
"""
