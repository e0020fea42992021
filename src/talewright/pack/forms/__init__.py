"""Forms: what an author may write in one place, said once and used twice.

A form reads a node into a value, and tells the JSON Schema by which editors complete and check.
"""
