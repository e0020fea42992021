"""Real PostgreSQL and Redis processes for tests: started on a free port, killed, restarted and removed.

Nothing here imitates either of them, and nothing outlives its folder.
"""
