"""Kept campaigns: whole folders that earlier engines wrote, and which every later one must open."""
