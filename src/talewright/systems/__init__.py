"""Systems: mechanics a game may switch on, plugs on the System port of the kernel.

A system proposes and describes. It never applies a change, calls a model or imports another system.
"""
