"""Sweeps: the checks of the house at their full count, in parts that can be stopped and taken up again.

A part is a module of this folder with `FULL_COUNT` and `run(count, seed, progress)`, found by looking; see
`parts`. The ordinary tests call the same `run` with about a hundredth of the count.
"""
