"""PyTorch's spellings: names, arguments, calls that mean something else, and six scripts in both libraries."""
