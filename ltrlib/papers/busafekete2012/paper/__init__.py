"""The page on the whole paper: its list of tools and its two figures beside ours (chapter 19)."""
