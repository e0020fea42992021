"""Transfer of campaigns between stores, for `talewright saves push` and `pull`: every hash stays the same.

The dice secret goes along only where the campaign can no longer be played at its source, or for an operator.
"""
