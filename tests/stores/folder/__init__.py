"""Tests of `stores/folder`."""
