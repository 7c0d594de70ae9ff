"""The leaderboard and the winners: the same teams by the other metric, and what the printed p-values imply."""
