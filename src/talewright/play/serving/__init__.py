"""Serving: what a server needs besides the ports, whatever protocol it speaks.

It knows no protocol.
"""
