"""The pages for everyone, in a real browser: many tabs, offline, read aloud, without a mouse or eyes."""
