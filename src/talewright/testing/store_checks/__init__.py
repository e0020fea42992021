"""What every Store must do, one function a promise of `chronicle/store.py`.

The door is `testing/store_suite.py`. What a store does with damaged bytes is its own matter and not asked
here.
"""
