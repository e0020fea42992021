"""The browser face, without a browser and in one."""
