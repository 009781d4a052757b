"""Elementwise operations: arithmetic, powers, exponentials, trigonometry, activation functions, selection."""
