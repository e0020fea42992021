"""Tools for testing plugs: conformance suites that every plug of a kind must pass.

Nothing in the running engine imports this package, and it imports no test framework.
"""
