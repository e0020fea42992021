"""The end of the world at every crash point of the solo road, and what is found afterwards."""
