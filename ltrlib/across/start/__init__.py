"""Learning to rank from zero: the examples, numbers and pictures of the four pages for beginners."""
