"""The pages in real Chromium, at the sizes of a phone, a tablet and a desk."""
