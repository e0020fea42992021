"""Jobs: importing, exporting, verifying, compiling and linting for a server, in processes of their own.

The pool starts them when they are first needed, and bounds their number, time and memory.
"""
