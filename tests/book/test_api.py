"""Protects the API pages: every public name can be imported, has a docstring, and stands on a page that is not run."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys

import pytest

from ltrlib.book import api
from ltrlib.project import ROOT

PAGES = ROOT / "chapters" / "api"


@pytest.mark.parametrize("package", api.PACKAGES)
def test_every_public_name_is_there_and_says_what_it_is(package: str) -> None:
    for name in api.public_names(package):
        assert name.summary, name.path
        assert name.summary[-1] in ".:!", f"the first paragraph of {name.path} is no sentence"
        assert hasattr(importlib.import_module(name.home), name.name)


@pytest.mark.parametrize("package", api.PACKAGES)
def test_no_public_name_is_the_name_of_a_module(package: str) -> None:
    """Else it would be the one or the other, depending on what was imported before."""
    modules = {info.name for info in pkgutil.iter_modules(importlib.import_module(package).__path__)}
    assert modules.isdisjoint(name.name for name in api.public_names(package))


@pytest.mark.parametrize("package", api.PACKAGES)
def test_importing_a_package_loads_none_of_its_modules(package: str) -> None:
    code = f"import sys, {package}; print([n for n in sys.modules if n.startswith('{package}.') or n == 'pandas'])"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


@pytest.mark.parametrize("package", api.PACKAGES)
def test_a_name_that_is_not_there_is_an_attribute_error(package: str) -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        importlib.import_module(package).no_such_name  # noqa: B018


def test_every_public_package_has_a_page_without_code_cells() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == {"index", *(name.split(".")[1] for name in api.PACKAGES)}
    for package in api.PACKAGES:
        text = (PAGES / f"{package.split('.')[1]}.md").read_text(encoding="utf-8")
        assert f"```{{api}} {package}\n" in text
        assert "{code-cell}" not in text


def test_names_come_first_in_a_table_and_then_in_full() -> None:
    lines = api.render("ltrlib.claims", ["ltrlib.claims.registry.claim"])
    text = "\n".join(lines)
    assert ":py:obj:`registry.claim <ltrlib.claims.registry.claim>`" in text
    assert text.index("list-table") < text.index(".. autoclass:: ltrlib.claims.Claim")
    assert ".. autofunction:: ltrlib.claims.registry.claim" in text
    assert ".. py:data:: ltrlib.claims.OWN_NUMBERS" in text


def test_a_guest_is_described_by_its_own_package_only() -> None:
    assert ".. autoclass:: ltrlib.records.Source" in api.render("ltrlib.records")
    assert not any("autoclass" in line and "Source" in line for line in api.render("ltrlib.datasets"))


@pytest.mark.parametrize(
    ("target", "there"),
    [
        ("pandas.DataFrame", True),
        ("np.ndarray", True),
        ("collections.abc.Sequence", True),
        ("ltrlib.metrics.kernels.rank_top", True),
        ("ArrayLike", True),
        ("ltrlib.metrics.no_such_name", False),
        ("no_such_library.Thing", False),
        ("NoSuchName", False),
    ],
)
def test_a_reference_is_accepted_if_there_is_something_behind_it(target: str, there: bool) -> None:
    assert api._exists(target) == there


def test_references_lead_from_where_a_name_is_defined_to_where_it_is_described() -> None:
    assert api._candidates("ltrlib.claims.cells.Measured") == ["ltrlib.claims.Measured"]
    assert api._candidates("ltrlib.claims.cells.Measured.over") == ["ltrlib.claims.Measured.over"]
    assert api._candidates("RankSVM") == ["ltrlib.rankers.RankSVM"]


def test_functions_as_defaults_are_named_without_their_address() -> None:
    signature = "(do: Callable = <function _one_piece at 0x7f3a>, parameters: dict = <factory>)"
    tidy = api._tidy_signature(None, "class", "x", None, None, signature, None)  # type: ignore[arg-type]
    assert tidy == ("(do: Callable = _one_piece, parameters: dict = ...)", None)
