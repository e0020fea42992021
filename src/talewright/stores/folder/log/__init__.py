"""The log of a campaign's folder: `chronicle.jsonl`, what follows from it, and its index.

It knows frames, places and records; it writes no page and no listing.
"""
