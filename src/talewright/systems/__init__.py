"""Systems: mechanics that a game may enable, plug-ins for the kernel's System port.

A system proposes and describes. It never applies a change, calls a model or imports another system.
"""
