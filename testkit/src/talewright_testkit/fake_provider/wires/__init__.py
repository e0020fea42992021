"""The vendors' protocols: each reads or rejects requests as the vendor would, and formats answers.

A wire opens no socket, and of faults it knows only the format of an error.
"""
