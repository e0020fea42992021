"""Commands for the operator of a host.

They need the extra `hosted` and the address of its database, and only parse options and print.
"""
