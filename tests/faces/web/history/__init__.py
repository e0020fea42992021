"""Tests of the pages for looking back."""
