"""Where a user's method stands among known results: ``ltrlib compare``."""
