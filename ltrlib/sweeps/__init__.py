"""Sweeps: a chapter of the book, run by papermill at many settings of its parameters on a Dask cluster.

The parts, in the order in which a sweep meets them: what a chapter's parameters may be (``parameters``), the file that
says which settings to run (``description``), one setting run on a worker (``execution``), its folder (``store``), the
cluster (``schedule``), all together (``running``), and the table that comes out (``table``).
"""
