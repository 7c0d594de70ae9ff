"""What the paper says, and what its own tables make of it (chapter 40)."""
