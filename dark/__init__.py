"""dark."""
