"""Proofs on a campaign's record: replay and verification.

Everything here reads, and believes nothing but the record.
"""
