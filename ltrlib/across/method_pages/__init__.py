"""A page for each method, and any two of them compared: in the results behind Table B.6, and in our own runs."""
