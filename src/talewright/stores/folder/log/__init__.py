"""The log of a campaign: `chronicle.jsonl`, what is derived from it, and its index.

It handles frames, places and records; it writes no pages and no listing.
"""
