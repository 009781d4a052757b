"""Selecting runs by conditions: `expression` (the language), `tokens` (its words), `truth` (its logic)."""
