"""One look for every figure: style and labels."""
