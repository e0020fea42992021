"""The pages for authors, without a browser and in one."""
