"""Tests of `stores/folder/pages`."""
