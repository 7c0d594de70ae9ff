"""Prose of a chapter that is run as a notebook: shown when the numbers in it are known."""

from __future__ import annotations

from ltrlib.book.plain import plain_markdown

__all__ = ["show_prose"]


def show_prose(text: str) -> None:
    """Show MyST with its glued numbers filled in.

    Examples
    --------
    >>> show_prose("A word.")
    {'text/markdown': 'A word.', 'text/plain': 'A word.'}
    """
    from IPython.display import display

    shown = plain_markdown(text)
    display({"text/markdown": shown, "text/plain": shown}, raw=True)
