"""Recorded results: tables with their provenance, what they depend on, and the one way to make them.

``definitions`` finds the code behind a result, ``observed`` notes what a run reads, ``record`` keeps tables on disk,
``making`` declares how they are made, ``working`` makes them.
"""
