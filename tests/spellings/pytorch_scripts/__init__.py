"""Six training scripts as written for PyTorch."""
