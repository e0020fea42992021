"""What leaves for another process as JSON: views, news and signals.

Nothing is decided here. Members that are not known are passed over when they are read.
"""
