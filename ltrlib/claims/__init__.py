"""Claims of the papers, how we check each, and the verdict that follows.

Start with :func:`ltrlib.claims.registry.claims` and :func:`ltrlib.claims.registry.claim`; show an outcome with
:mod:`ltrlib.claims.show`.
"""
