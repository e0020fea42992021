"""The version of Talewright; the build reads it from here."""

__version__ = "0.3.0.dev0"
