"""What the author wrote: the files of a world, their checks, and the world made from them."""
