"""Verification: replays a campaign's record and checks it, including dice and receipts.

Everything here only reads, and trusts nothing but the record.
"""
