"""Operations: what an operator needs to see of a running host and to do about it.

Health, metrics, logs and stuck turns. Nothing here shows what players wrote.
"""
