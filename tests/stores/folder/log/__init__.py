"""Tests of `stores/folder/log`."""
