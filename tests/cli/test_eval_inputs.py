"""``ltrlib eval`` on every form of input that its peers take, on damaged ones, and its exit code for limits."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.cli.test_eval import call

QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 0\n2 0 b 2\n"
RUN = "1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t\n2 Q0 a 1 2.0 t\n2 Q0 b 2 1.0 t\n"
DATA = "1 qid:1 1:0.5 #docid = a\n0 qid:1 1:1 #docid = b\n0 qid:2 1:1 #docid = a\n2 qid:2 2:1 #docid = b\n"
SCORES = "2.5\n1.5\n2.0\n1.0\n"
COMPRESS: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}
VALUE = (1 + 1 / np.log2(3)) / 2  # NDCG of both queries: one right, one with its document at rank 2


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("q.qrels", QRELS), ("r.run", RUN), ("t.txt", DATA), ("s.txt", SCORES)):
        Path(name).write_text(text)
    return tmp_path


def mean(capsys: pytest.CaptureFixture[str], *arguments: str, tool: str = "ltrlib") -> float:
    code, out, err = call(capsys, *arguments, "--format", "json", "--tool", tool)
    assert code == 0, err
    ((_, tools),) = json.loads(out)["results"].items()
    return float(tools[tool]["ndcg@10"]["mean"])


LETOR = ("--data", "t.txt", "--scores", "s.txt")
TREC = ("--qrels", "q.qrels", "--run", "r.run")


@pytest.mark.parametrize("arguments", [LETOR, TREC])
@pytest.mark.parametrize("mark", ["bom", "crlf", "blank", "gz", "xz", "bz2", "zst"])
def test_the_same_value_however_the_files_are_wrapped(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], mark: str
) -> None:
    """A byte order mark once dropped the first query without a word."""
    for name in arguments[1::2]:
        content = Path(name).read_bytes()
        if mark == "bom":
            content = b"\xef\xbb\xbf" + content
        elif mark == "crlf":
            content = content.replace(b"\n", b"\r\n")
        elif mark == "blank" and name != "s.txt":
            content = content.replace(b"\n", b"\n\n", 1)
        elif mark in ("gz", "xz", "bz2"):
            content = COMPRESS[mark](content)
        elif mark == "zst":
            pyarrow = pytest.importorskip("pyarrow")
            content = pyarrow.Codec("zstd").compress(content, asbytes=True)
        Path(name).write_bytes(content)
    assert mean(capsys, *arguments) == pytest.approx(VALUE)


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("arguments", [LETOR, TREC])
def test_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], place: int
) -> None:
    name = arguments[1::2][place]
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(gzip.compress(Path(name).read_bytes()))))
    assert mean(capsys, *(argument if argument != name else "-" for argument in arguments)) == pytest.approx(VALUE)


def test_standard_input_is_read_once(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = call(capsys, "--data", "-", "--scores", "-")
    assert (code, "standard input can be read once" in err) == (2, True)


def test_comments_and_junk_as_trec_eval_allows_them(capsys: pytest.CaptureFixture[str]) -> None:
    Path("q.qrels").write_text("# judged by hand\n" + QRELS)
    Path("r.run").write_text(RUN.replace(" t\n", " t and more\n").replace("2 Q0", "# x\n2 Q0", 1))
    assert mean(capsys, *TREC) == pytest.approx(VALUE)


def test_lines_of_a_query_may_stand_apart_in_trec_files(capsys: pytest.CaptureFixture[str]) -> None:
    lines = RUN.splitlines()
    Path("r.run").write_text("\n".join([lines[0], lines[2], lines[1], lines[3]]))
    assert mean(capsys, *TREC) == pytest.approx(VALUE)


@pytest.mark.parametrize("end", [".query", ".group", None])
def test_query_sizes_of_lightgbm_and_xgboost(capsys: pytest.CaptureFixture[str], end: str | None) -> None:
    Path("t.txt").write_text("1 1:0.5\n0 1:1\n0 1:1\n2 2:1\n")
    Path(f"t.txt{end}" if end else "sizes").write_text("2\n2\n")
    assert mean(capsys, *LETOR, *(() if end else ("--query-sizes", "sizes"))) == pytest.approx(VALUE)


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.tsv", "t.parquet"])
def test_tables_with_and_without_scores(capsys: pytest.CaptureFixture[str], name: str) -> None:
    """Rows of a query need not stand together, and the scores of a file are in the order of the rows."""
    rows = [("1", 1, 2.5), ("2", 0, 2.0), ("1", 0, 1.5), ("2", 2, 1.0)]
    delimiter = "\t" if ".tsv" in name else ","
    text = "\n".join(delimiter.join(map(str, row)) for row in [("query_id", "Label", "prediction"), *rows]) + "\n"
    if name.endswith("parquet"):
        pyarrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        names = ["query_id", "Label", "prediction"]
        parquet.write_table(pyarrow.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))), name)
    else:
        Path(name).write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    assert mean(capsys, "--data", name) == pytest.approx(VALUE)
    Path("s.txt").write_text("".join(f"{row[2]}\n" for row in rows))
    assert mean(capsys, "--data", name, "--scores", "s.txt") == pytest.approx(VALUE)
    assert mean(capsys, "--data", name, "--columns", "qid=query_id,score=prediction") == pytest.approx(VALUE)


def test_catboost_data_with_its_column_description(capsys: pytest.CaptureFixture[str]) -> None:
    Path("train").write_text("0.1\t1\tA\n0.2\t0\tA\n0.1\t0\tB\n0.3\t2\tB\n")
    Path("train.cd").write_text("1\tLabel\n2\tGroupId\n")
    assert mean(capsys, "--data", "train", "--cd", "train.cd", "--scores", "s.txt") == pytest.approx(VALUE)


def test_scores_of_ranklib_and_numpy(capsys: pytest.CaptureFixture[str]) -> None:
    Path("ranklib").write_text("1\t0\t2.5\n1\t1\t1.5\n2\t0\t2.0\n2\t1\t1.0\n")
    assert mean(capsys, "--data", "t.txt", "--scores", "ranklib") == pytest.approx(VALUE)
    np.save("s.npy", np.array([2.5, 1.5, 2.0, 1.0]))
    assert mean(capsys, "--data", "t.txt", "--scores", "s.npy") == pytest.approx(VALUE)
    Path("ranklib").write_text("1\t0\t2.5\n3\t0\t1.5\n2\t0\t2.0\n2\t1\t1.0\n")
    code, _, err = call(capsys, "--data", "t.txt", "--scores", "ranklib")
    assert (code, "where t.txt has query 1 with 2" in err) == (2, True)


def test_features_are_not_read(capsys: pytest.CaptureFixture[str]) -> None:
    """One high index among many rows once asked for 120 GB; an index from 0 and labels like 1.0 are fine here."""
    lines = [f"{row % 2}.0 qid:{row // 10} 0:1 99999999:1" for row in range(1000)]
    Path("wide.txt").write_text("\n".join(lines))
    Path("s.txt").write_text("".join(f"{-(row % 2)}\n" for row in range(1000)))
    assert 0 < mean(capsys, "--data", "wide.txt", "--scores", "s.txt") < 1


@pytest.mark.parametrize("tool", ["all", "ltrlib", "letor4", "trec_eval"])
def test_a_negative_label_is_told_once_with_its_line_whatever_the_tool(
    capsys: pytest.CaptureFixture[str], tool: str
) -> None:
    Path("x").write_text("2 qid:1 1:1\n-1 qid:1 1:1\n0 qid:1 1:2\n")
    Path("y").write_text("1\n2\n3\n")
    code, out, err = call(capsys, "--data", "x", "--scores", "y", "--tool", tool, "--format", "json")
    assert (code, out) == (2, "")
    assert err.count("x:2: negative label") == 1
    assert len(err.splitlines()) == 2


def test_nothing_left_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.txt").write_text("1 qid:1\n0 qid:1\n0 qid:2\n2000 qid:2\n")
    code, out, err = call(capsys, *LETOR, "--tool", "all", "--metric", "meanndcg")
    assert (code, out) == (2, "")
    assert "no tool can score this" in err


LONG = "x" * 20_000


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("s.txt", b"2.5\n\xd9\xa1\n2.0\n1.0\n", "s.txt:2: '\u0661' is not a score"),
        ("s.txt", b"2.5\n\xc2\xa01\n2.0\n1.0\n", "s.txt:2: '\\xa01' is not a score"),
        ("s.txt", b"2.5\n1.5\0\n2.0\n1.0\n", "s.txt:2: binary data"),
        ("s.txt", b"2.5\r1.5\r2.0\r1.0", "s.txt:1: a carriage return inside the line"),
        ("s.txt", "2.5\n1.5\n".encode("utf-16"), "s.txt:1: the text is in UTF-16"),
        ("s.txt", b"1\t0\t1\n1\t7\t1\n", "s.txt:2: place '7' of query '1'"),
        ("s.txt", b"1" * (1 << 25), "s.txt:1: a line of more than"),
        ("s.txt", b"\0" * (1 << 22), "s.txt:1: binary data"),
        ("t.txt", b"1 qid:1\n1_0 qid:1\n", "t.txt:2: the label '1_0' is not a whole number"),
        ("t.txt", b"1 qid:1\n1.5 qid:1\n", "t.txt:2: the label '1.5' is not a whole number"),
        ("t.txt", b"1 qid:1\n99999999999 qid:1\n", "t.txt:2: the label '99999999999' is too large"),
        ("t.txt", b"1 qid:1\n0 1:1\n", "t.txt:2: no qid behind the label: '1:1'"),
        ("t.txt", b"1 qid:1\n0 qid:2\n0 qid:1\n", "t.txt:3: query '1' began in line 1"),
        ("t.txt", b"1 qid:" + LONG.encode(), "t.txt:1: the qid"),
        ("t.txt", b"", "t.txt: the file holds no rows"),
        ("q.qrels", f"1 0 a 1\n1 0 {LONG} 1\n".encode(), "q.qrels:2: the id"),
        ("q.qrels", f"{LONG} 0 a 1\n".encode(), "q.qrels:1: the id"),
        ("q.qrels", b"1 0 a 1000000000000\n", "q.qrels:1: the label '1000000000000' is too large"),
        ("q.qrels", b"1 0 a 1_0\n", "q.qrels:1: the label '1_0' is not a whole number"),
        ("q.qrels", "1 0 a \u0661\n".encode(), "q.qrels:1: the label '\u0661' is not a whole number"),
        ("q.qrels", b"1 0 a 1 x\n", "q.qrels:1: 5 columns"),
        ("q.qrels", b"1 0 a\xc2\xa0b 1\n1 0 c\n", "q.qrels:2: 3 columns"),
        ("q.qrels", b"\0" * (1 << 22), "q.qrels:1: binary data"),
        ("r.run", b"1 Q0 a 1 1 t\n1 Q0 b 1 1 t\n\n1 Q0 a 1 1 t\n", "r.run:4: document a of query 1 stands here twice"),
        ("r.run", b"1 Q0 a 1 1 t\n2 Q0 a 1 1 t\n1 Q0 a 1 1 t\n", "r.run:3: document a of query 1 stands here twice"),
        ("r.run", b"\x04\x22\x4d\x18abc", "files compressed by lz4 are not read"),
        ("r.run", gzip.compress(RUN.encode(), mtime=0)[:-9], "the gzip data is damaged or cut off"),
    ],
)
def test_damaged_files_are_named_with_the_line(
    capsys: pytest.CaptureFixture[str], name: str, content: bytes, message: str
) -> None:
    Path(name).write_bytes(content)
    code, out, err = call(capsys, *(LETOR if name in ("t.txt", "s.txt") else TREC))
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("qid,label,score\na,1,0.5\na,-1,0.5\n", "t.csv:3: negative label -1"),
        ("qid,label,score\na,1,0.5\na,x,0.5\n", "t.csv:3: the label 'x' is not a whole number"),
        ("qid,label,score\na,1,nan\n", "t.csv:2: the score is NaN"),
        ("qid,label,score\na,1\n", "t.csv:2: 2 columns"),
        ("qid,score\na,1\n", "no column looks like the label"),
        ("qid,label,score\n", "the table has no rows"),
        ('qid,label,score\na,1,"0.5\n', "t.csv:2: "),
        ("", "the file is empty"),
    ],
)
def test_damaged_tables_are_named_with_the_line(capsys: pytest.CaptureFixture[str], text: str, message: str) -> None:
    Path("t.csv").write_text(text)
    code, out, err = call(capsys, "--data", "t.csv")
    assert (code, out) == (2, "")
    assert message in err


def test_one_long_line_among_many_does_not_take_memory_for_all(capsys: pytest.CaptureFixture[str]) -> None:
    """Arrays of fixed-width text once asked for 18.6 GiB here."""
    Path("s.txt").write_text("1\n" * 200_000 + "1" * 100_000 + "\n")
    code, _, err = call(capsys, *LETOR)
    assert (code, "200,001 scores, but t.txt has 4 documents" in err) == (2, True)


def test_names_of_other_tools_are_read_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capsys, *TREC, "--metric", "ndcg_cut_10", "nDCG@10", "--format", "json")
    found = json.loads(out)["results"]["r.run"]
    assert code == 0
    assert found.keys() == {"trec_eval", "ltrlib"}
    assert "ndcg_cut_10 is read as ndcg@10:trec_eval" in err
    assert "nDCG@10 is computed by ltrlib's rules, as ndcg@10; --tool ir_measures differs in" in err
    assert call(capsys, *TREC, "--metric", "ndcg@10", "map")[2] == ""


def test_counts_are_summed_as_trec_eval_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, *TREC, "--tool", "trec_eval", "--metric", "num_ret", "num_rel", "P.5")
    assert code == 0
    assert out.splitlines()[2].split() == ["trec_eval", "4", "2", "0.2000"]
    _, out, _ = call(capsys, *TREC, "--tool", "trec_eval", "--metric", "num_ret", "--format", "json")
    assert json.loads(out)["results"]["r.run"]["trec_eval"]["numret"]["sum"] == 4


@pytest.mark.parametrize(
    ("limit", "code"),
    [("ndcg@10=0.8", 0), ("ndcg@10=0.82", 3), ("map(relevant_from=2)=0.2", 0), ("ndcg@10(empty=1)=0.99", 3)],
)
def test_a_value_below_its_limit_has_an_exit_code_of_its_own(
    capsys: pytest.CaptureFixture[str], limit: str, code: int
) -> None:
    found, out, err = call(capsys, *LETOR, "--fail-below", limit)
    assert found == code
    assert "0.8155" in out
    assert ("below" in err) == (code == 3)


def test_a_limit_for_one_tool_leaves_the_others_alone(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (*LETOR, "--tool", "letor4,ranklib", "--metric", "ndcg@10", "--fail-below")
    assert call(capsys, *arguments, "ndcg@10=0.5")[0] == 3  # letor4 gives short lists 0
    assert call(capsys, *arguments, "ndcg@10:ranklib=0.5")[0] == 0
    code, out, err = call(capsys, *arguments, "ndcg@10")
    assert (code, out) == (2, "")
    assert "is not a number" in err


@pytest.mark.parametrize("kind", ["markdown", "latex"])
def test_tables_for_papers_mark_what_is_significant(capsys: pytest.CaptureFixture[str], kind: str) -> None:
    lines, good, bad = [], [], []
    for query in range(30):
        for document in range(5):
            lines.append(f"{int(document == 0)} qid:{query}")
            good.append(f"{-document}")
            bad.append(f"{document + 0.01 * query}")
    for name, content in (("t.txt", lines), ("good_1", good), ("bad", bad)):
        Path(name).write_text("\n".join(content) + "\n")
    code, out, _ = call(capsys, "--data", "t.txt", "--scores", "good_1", "bad", "--format", kind)
    assert code == 0
    if kind == "markdown":
        assert "| ltrlib | a good_1 | 1.0000<sup>b</sup> |" in out
        assert "| ltrlib | b bad | 0.3869 |" in out
    else:
        assert r"ltrlib & a good\_1 & \textbf{1.0000}$^{b}$ \\" in out
        assert r"ltrlib & b bad & 0.3869 \\" in out
        assert out.startswith(r"\begin{tabular}{llr}")


ROWS = [("1", 1, 2.5), ("2", 0, 2.0), ("1", 0, 1.5), ("2", 2, 1.0)]


@pytest.mark.parametrize("form", ["records.json", "columns.json", "lines.jsonl", "records.json.gz"])
def test_documents_in_json_as_records_as_columns_and_line_by_line(
    capsys: pytest.CaptureFixture[str], form: str
) -> None:
    names = ("query_id", "label", "score")
    records = [dict(zip(names, row, strict=True)) for row in ROWS]
    columns = {name: [record[name] for record in records] for name in names}
    text = "\n".join(map(json.dumps, records)) if "lines" in form else json.dumps(columns if "col" in form else records)
    Path(form).write_bytes(gzip.compress(text.encode()) if form.endswith("gz") else text.encode())
    assert mean(capsys, "--data", form) == pytest.approx(VALUE)


def test_judgments_and_runs_in_json_as_pytrec_eval_and_ranx_keep_them(capsys: pytest.CaptureFixture[str]) -> None:
    qrels: dict[str, dict[str, int]] = {"1": {"a": 1, "b": 0}, "2": {"a": 0, "b": 2}}
    run = {"1": {"a": 2.5, "b": 1.5}, "2": {"a": 2.0, "b": 1.0}}
    Path("q.json").write_text(json.dumps(qrels))
    Path("r.json").write_text(json.dumps(run, indent=1))
    for tool in ("ltrlib", "trec_eval"):
        both = mean(capsys, "--qrels", "q.json", "--run", "r.json", tool=tool)
        assert both == mean(capsys, *TREC, tool=tool) == mean(capsys, "--qrels", "q.json", "--run", "r.run", tool=tool)


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("x.json", '[{"qid": "1",\n "label": }]', "x.json:2: not JSON"),
        ("x.jsonl", '{"qid": "1", "label": 1, "score": 1}\n{"qid": "1", "label": 0}', "x.jsonl:2: not the fields"),
        ("x.jsonl", '{"qid": "1", "label": 1, "score": 1}\n\n[]', "x.jsonl:3: not a record"),
        ("x.json", '[{"qid": "1", "label": 1.5, "score": 1}]', "x.json: row 1: the label 1.5"),
        ("x.json", '[{"qid": "1", "label": -1, "score": 1}]', "x.json: row 1: negative label"),
        ("x.json", '[{"qid": "1", "label": 1, "score": NaN}]', "x.json: row 1: the score is NaN"),
        ("x.json", '[{"qid": "1", "label": true, "score": 1}]', "x.json: row 1: the label True is not a number"),
        ("x.json", '[{"qid": "1", "qid": "2", "label": 1, "score": 1}]', "'qid' is given twice"),
        ("x.json", '{"qid": ["1"], "label": [1, 0]}', "columns of different length"),
        ("x.json", "[" * 100_000, "brackets in brackets"),
        ("x.json", "[]", "the table has no rows"),
        ("x.json", '"text"', "neither a list of records"),
    ],
)
def test_damaged_json_is_refused_with_its_place(
    capsys: pytest.CaptureFixture[str], name: str, text: str, what: str
) -> None:
    Path(name).write_text(text)
    code, _, err = call(capsys, "--data", name)
    assert code == 2
    assert what in err


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"1": {"a": 1, "a": 0}}', "'a' is given twice"),
        ('{"1": {"a": "1"}}', "q.json: query '1', document 'a': the label '1' is not a number"),
        ('{"1": {"a": 1e400}}', "not a whole number"),
        ('{"1": [1]}', "not a table of queries"),
        ('{"1": {}}', "holds no document"),
    ],
)
def test_damaged_judgments_in_json_are_refused_with_query_and_document(
    capsys: pytest.CaptureFixture[str], text: str, what: str
) -> None:
    Path("q.json").write_text(text)
    code, _, err = call(capsys, "--qrels", "q.json", "--run", "r.run")
    assert code == 2
    assert what in err


def test_a_name_that_a_spreadsheet_would_compute_is_written_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    Path("=cmd|x").write_text(RUN.replace("1 Q0", "@1 Q0"))
    Path("q.qrels").write_text(QRELS.replace("1 0", "@1 0"))
    code, out, _ = call(capsys, "--qrels", "q.qrels", "--run", "=cmd|x", "--format", "csv", "--per-query")
    assert code == 0
    assert "'=cmd|x,ltrlib,ndcg@10,'@1,1.0" in out
    assert not any(line.startswith("=") for line in out.splitlines())
