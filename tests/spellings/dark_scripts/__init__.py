"""The six scripts with the lines changed that `dark` needs; `test_scripts` counts them."""
