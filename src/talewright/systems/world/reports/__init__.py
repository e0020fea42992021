"""Reports: the true state of a world for its author, with a timeline and a picture of who told whom."""
