"""What `--help` shows: the table of commands, and the format of every help text.

Nothing here imports a command.
"""
