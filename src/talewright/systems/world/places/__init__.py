"""Places: finding the one that is meant, and the ways between them."""
