"""Selecting runs by conditions: `expression` (the language), `truth` (its logic)."""
