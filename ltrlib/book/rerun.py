"""Run one chapter with other parameters and render the same page as the book, with what was changed on top."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

import jupytext
import yaml

from ltrlib.book.parameters import Parameter, read_parameters
from ltrlib.errors import UsageError
from ltrlib.project import ROOT

__all__ = ["changed_source", "find_chapter", "parse_values", "rerun"]

_KINDS = {"int": int, "float": (int, float), "bool": bool, "str": str}
_BUILT = ROOT / "_build" / "html"


def find_chapter(name: str) -> Path:
    """The source of a chapter by its name, its number, or its path.

    Examples
    --------
    >>> find_chapter("20").name, find_chapter("chapters/20-busafekete2012-metrics.md").stem
    ('20-busafekete2012-metrics.md', '20-busafekete2012-metrics')
    >>> find_chapter("20-busafekete2012-metrix")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: there is no chapter '20-busafekete2012-metrix'
      to do: did you mean 20-busafekete2012-metrics...
    """
    wanted = Path(name).name.removesuffix(".md")
    chapters = {
        path.stem: path for path in sorted((ROOT / "chapters").glob("*.md")) if "{code-cell}" in path.read_text()
    }
    found = [stem for stem in chapters if wanted in (stem, stem.partition("-")[0])]
    if len(found) == 1:
        return chapters[found[0]]
    close = get_close_matches(wanted, chapters, n=3) or list(chapters)
    raise UsageError(f"there is no chapter {name!r}", cure=f"did you mean {' or '.join(close)}?")


def parse_values(given: Sequence[str], known: Sequence[Parameter]) -> dict[str, object]:
    """Read ``name=value`` by the declared types.

    Examples
    --------
    >>> parse_values(["cutoff=5"], [Parameter("cutoff", "int", "10", "")])
    {'cutoff': 5}
    >>> parse_values(["cutof=5"], [Parameter("cutoff", "int", "10", "")])
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: the chapter has no parameter 'cutof'
      to do: it has cutoff (int, now 10)
    """
    by_name = {one.name: one for one in known}
    listed = ", ".join(f"{one.name} ({one.kind}, now {one.default})" for one in known) or "none"
    found: dict[str, object] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"{text!r} is not name=value", cure=f"it has {listed}")
        if name not in by_name:
            raise UsageError(f"the chapter has no parameter {name!r}", cure=f"it has {listed}")
        found[name] = _value(value, by_name[name])
    return found


def _value(text: str, parameter: Parameter) -> object:
    if parameter.kind == "str":
        return text
    try:
        value = ast.literal_eval(text.capitalize() if text in ("true", "false") else text)
    except (ValueError, SyntaxError):
        value = text
    wanted = _KINDS.get(parameter.kind, object)
    if not isinstance(value, wanted) or (isinstance(value, bool) and parameter.kind != "bool"):  # type: ignore[arg-type]
        what = f"{parameter.name} is of type {parameter.kind}, and {text!r} is not"
        raise UsageError(what, where="-p", cure=f"write it like {parameter.name}={parameter.default}")
    return value


def changed_source(source: str, values: Mapping[str, object]) -> str:
    r"""The chapter with other values in its parameter cell, and a note below its title that says so.

    Parameters
    ----------
    source
        The chapter's text.
    values
        Parameters that are not as in the book.

    Examples
    --------
    >>> page = '# T\n\n```{code-cell} ipython3\n:tags: [parameters]\nk: int = 10  # cut-off\n```\n'
    >>> print(changed_source(page, {"k": 5}))
    # T
    <BLANKLINE>
    :::{admonition} A rerun
    :class: tip rerun
    Changed: `k` from `10` to `5`.
    :::
    <BLANKLINE>
    ```{code-cell} ipython3
    :tags: [parameters]
    k: int = 5  # cut-off
    ```
    <BLANKLINE>
    """
    said = []
    for name, value in values.items():
        pattern = re.compile(rf"^({re.escape(name)}: [^=\n]*= )(.*?)(  #.*)?$", re.MULTILINE)
        found = pattern.search(source)
        assert found is not None  # read_parameters has read the same cell
        said.append(f"`{name}` from `{found[2]}` to `{value!r}`")
        source = source[: found.start(2)] + repr(value) + source[found.end(2) :]
    words = f"Changed: {', '.join(said)}." if said else "All parameters are those of the book."
    note = f"\n\n:::{{admonition}} A rerun\n:class: tip rerun\n{words}\n:::"
    title = re.search(r"^# .*$", source, re.MULTILINE)
    return source if title is None else source[: title.end()] + note + source[title.end() :]


def rerun(chapter: Path, values: Mapping[str, object], folder: Path) -> Path:
    """Run the chapter and render its page.

    Parameters
    ----------
    chapter
        Its source.
    values
        Parameters that are not as in the book.
    folder
        Where to build; an earlier rerun there is replaced.

    Returns
    -------
    Path
        The page.
    """
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "chapters").mkdir(parents=True)
    shutil.copytree(ROOT / "chapters" / "_static", folder / "chapters" / "_static")
    for name in ("references.bib", "requirements.lock", "pyproject.toml"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, folder)
    config = yaml.safe_load((ROOT / "_config.yml").read_text())
    extensions = config["sphinx"]["config"]["extensions"]
    config["sphinx"]["config"]["extensions"] = [one for one in extensions if one != "ltrlib.book.generated_pages"]
    (folder / "_config.yml").write_text(yaml.safe_dump(config, allow_unicode=True))
    root = f"chapters/{chapter.stem}"
    toc = {"format": "jb-book", "root": root, "chapters": [{"file": "chapters/bibliography"}]}
    (folder / "_toc.yml").write_text(yaml.safe_dump(toc))
    shutil.copy(ROOT / "chapters" / "bibliography.md", folder / "chapters")
    text = _with_links(changed_source(chapter.read_text(encoding="utf-8"), values))
    (folder / "chapters" / chapter.name).write_text(text, encoding="utf-8")
    command = [str(Path(sys.executable).with_name("jupyter-book")), "build", str(folder), "--quiet"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    log = folder / "build.log"
    log.write_text(done.stdout + done.stderr, encoding="utf-8")
    page = folder / "_build" / "html" / f"{root}.html"
    if done.returncode != 0 or not page.exists():
        raise UsageError(f"the chapter failed: {_last_error(done.stdout + done.stderr)}", where=log)
    return page


def parameters_of(chapter: Path) -> list[Parameter]:
    """The parameters that a chapter declares.

    Examples
    --------
    >>> parameters_of(find_chapter("20"))[0].kind
    'str'
    """
    for cell in jupytext.read(chapter).cells:
        if "parameters" in cell.metadata.get("tags", []):
            return read_parameters(cell.source)
    return []


def _with_links(source: str) -> str:
    """Links to other pages lead to the built book if there is one; else only their words stay."""

    def change(match: re.Match[str]) -> str:
        words, page, anchor = match[1], match[2], match[3] or ""
        target = (_BUILT / "chapters" / page).with_suffix(".html").resolve()
        return f'<a href="{target.as_uri()}{anchor}">{words}</a>' if target.exists() else words

    return re.sub(r"\[([^\]]*)\]\(([\w./-]+\.md)(#[\w-]+)?\)", change, source)


def _last_error(log: str) -> str:
    plain = re.sub(r"\x1b\[[\d;]*m", "", log)
    errors = re.findall(r"^(?:ltrlib\.errors\.)?(\w*(?:Error|Exception)): (.*)$", plain, re.MULTILINE)
    return f"{errors[-1][0]}: {errors[-1][1]}" if errors else "see the log"
