"""The Yahoo! Learning to Rank Challenge (Chapelle and Chang 2011)."""
