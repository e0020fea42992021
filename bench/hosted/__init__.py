"""Parts of the benches of a host: its processes, and the bare engines beside them.

None of them is a bench.
"""
