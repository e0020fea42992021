"""The fault grid: whatever goes wrong between a model and us, a turn ends whole or as if never taken."""
