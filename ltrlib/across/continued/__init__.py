"""Table B.6 continued to today: every result that we know, joined where the convention is the same and nowhere else."""
