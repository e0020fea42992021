"""The compiler: an author's folder into a Game and its texts, with every fault at file:line:column.

It knows no system by name, and the running engine never reads an author's file through it.
"""
