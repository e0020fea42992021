"""What tests of plugs need: fakes, and the suites that say what every plug of a kind must do.

Nothing of the running engine imports it, and no test framework is imported by it.
"""
