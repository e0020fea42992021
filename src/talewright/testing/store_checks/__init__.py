"""Store checks: what every Store must do, one function per promise of `chronicle/store.py`.

The entry point is `testing/store_suite.py`. Handling of damaged bytes is up to each store and not checked
here.
"""
