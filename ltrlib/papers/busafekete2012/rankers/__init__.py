"""Our rankers beside RankLib's (chapter 21)."""
