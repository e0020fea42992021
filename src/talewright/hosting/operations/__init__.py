"""Operations: what an operator needs to monitor and manage a running host.

Health, metrics, logs and stuck turns. Nothing here shows players' texts.
"""
