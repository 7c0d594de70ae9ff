"""One metric or one data set left out (chapter 15)."""
