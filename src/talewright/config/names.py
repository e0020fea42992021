"""Names: the variables of the environment that we read, and the name by which no model is meant.

Constants only: every start loads them, so nothing else stands here.
"""

MODEL = "TALEWRIGHT_MODEL"
"""The model that tells: a configured name, `service/model`, or `none`."""

NO_MODEL = "none"
"""The name by which a player asks for the scenes alone."""

CHEAP_MODEL = "TALEWRIGHT_CHEAP_MODEL"
"""The same for errands and summaries."""

BASE_URL = "TALEWRIGHT_BASE_URL"
"""Makes TALEWRIGHT_MODEL a model of this address."""

API_KEY = "TALEWRIGHT_API_KEY"
"""The key for that address; no other key is ever sent there."""

TEMPERATURE = "TALEWRIGHT_TEMPERATURE"
MAX_OUTPUT_TOKENS = "TALEWRIGHT_MAX_OUTPUT_TOKENS"

FACE = "TALEWRIGHT_FACE"
"""Which face is opened where a terminal could show more than one."""

PLAIN_FACE = "plain"
"""What it says for lines of text alone."""
