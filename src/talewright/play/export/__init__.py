"""Export and import of campaigns: save games, plain or whole, and stories to read.

None of them contains the campaign's secret, and no story contains hidden texts.
"""
