"""Settings: which models are configured, which one plays what, and how much may be spent.

No model is called here, and no key is ever shown or written.
"""
