"""The scripts that are compared are run by a test; they are not collected, since those of PyTorch import it."""

collect_ignore = ["pytorch_scripts", "dark_scripts"]
