"""Commands for the operator of a host.

They need the `hosted` extra and the address of its database. They only parse options and print.
"""
