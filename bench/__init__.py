"""Benches: one figure a file, as a ratio to the bare engine measured in the same run.

A bench never decides what is fast enough by itself: its limit stands beside the figure.
"""
