"""Serving: what a server needs besides the ports, whatever protocol it speaks.

It does not depend on any protocol.
"""
