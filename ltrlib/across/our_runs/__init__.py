"""Every ranker on every data set: Table B.6, continued (chapter 60)."""
