"""Real PostgreSQL and Redis processes for tests: started on a free port, killed, restarted and removed.

Nothing is imitated, and nothing is left behind once a server's folder is removed.
"""
