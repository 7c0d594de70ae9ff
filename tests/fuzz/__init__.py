"""Fuzzed inputs for every command: valid files and options, changed in some places, and what must hold whatever comes.

``make fuzz`` (or ``python -m tests.fuzz 100000``) runs many; ``test_fuzz.py`` runs those of about a minute.
"""
