"""Stand-ins fitted to real data, and compared with it."""
