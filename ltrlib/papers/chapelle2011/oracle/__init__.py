"""What an oracle gains over ten rankers, and over ten copies of one; the first lesson with its sign (chapter 33)."""
