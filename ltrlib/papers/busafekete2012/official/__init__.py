"""Microsoft's official LETOR 4.0 baselines, trained again fold by fold."""
