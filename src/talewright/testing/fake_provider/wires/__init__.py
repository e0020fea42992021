"""The vendors' protocols: each reads and refuses requests as the vendor would, and spells answers.

A wire opens no socket and knows no fault but the shape of an error.
"""
