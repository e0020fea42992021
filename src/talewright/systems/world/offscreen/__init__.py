"""Life off-screen: what people do while the player is elsewhere, without a model and with one."""
