"""Places: finding the intended one, and the ways between them."""
