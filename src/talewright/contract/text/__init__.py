"""What a model wrote, as text: JSON read strictly, words cleaned, secrets held back.

No dialect is known here.
"""
