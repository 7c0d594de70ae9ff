"""Protects the user's files: nothing half-written, nothing lost, nothing replaced that was not meant."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ltrlib import atomic
from ltrlib.atomic import new_file, new_folder, refuse_input, remove_forgotten
from ltrlib.cli import main
from ltrlib.errors import UsageError


def write(path: Path, content: bytes = b"new") -> None:
    with new_file(path) as file:
        file.write(content)


def test_a_link_is_followed_and_what_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "link to link").symlink_to("link")
    write(tmp_path / "link to link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"
    (tmp_path / "nowhere").symlink_to(tmp_path / "not there yet")
    write(tmp_path / "nowhere")
    assert (tmp_path / "not there yet").read_bytes() == b"new"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "link",
        "link to link",
        "not there yet",
        "nowhere",
        "real",
    ]


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write(pipe)
    reader.join()
    assert read == [b"new"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_device_is_written_to_and_stays_a_device(tmp_path: Path) -> None:
    device = tmp_path / "null"
    try:
        os.mknod(device, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
        device.write_bytes(b"x")
    except OSError:
        pytest.skip("devices cannot be made here")
    write(device)
    assert stat.S_ISCHR(device.stat().st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["null"]


def test_standard_output_gets_the_bytes_also_when_it_is_a_file(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; from ltrlib.atomic import new_file\n"
        "with new_file(Path('/dev/stdout')) as file: file.write(b'page')\n"
        "print(' and more', flush=True)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert shown.stdout == b"page and more\n"
    with (tmp_path / "out").open("ab") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert b"and more" in (tmp_path / "out").read_bytes()


def test_permissions_of_a_replaced_file_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "private"
    path.write_bytes(b"old")
    path.chmod(0o600)
    write(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_error_on_the_way_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    with pytest.raises(TypeError), new_file(path) as file:
        file.writelines([b"half", None])  # type: ignore[list-item]
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("x", b"old")]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_names_the_file() -> None:
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write(Path("/dev/full"))


def test_a_file_that_grows_too_large_is_named_by_its_own_name_and_not_left(tmp_path: Path) -> None:
    code = (
        "import resource; from pathlib import Path; from ltrlib.atomic import new_file\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "with new_file(Path('page.html')) as file: file.write(bytes(5000))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == "OSError: [Errno 27] File too large: 'page.html'"
    assert not list(tmp_path.iterdir())


def test_a_folder_is_not_taken_for_a_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="folder"):
        write(tmp_path)
    with pytest.raises(UsageError, match="folder"):
        write(Path(""))


def test_output_that_is_the_input_is_refused_under_any_name(tmp_path: Path) -> None:
    given = tmp_path / "results.csv"
    given.write_text("method,dataset,metric,value\n")
    (tmp_path / "link").symlink_to(given)
    os.link(given, tmp_path / "hard")
    for name in ("results.csv", "link", "hard"):
        with pytest.raises(UsageError, match="overwritten"):
            refuse_input(tmp_path / name, given)
    refuse_input(tmp_path / "other", given)


def test_compare_does_not_write_its_page_over_the_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = tmp_path / "my.csv"
    given.write_text("method,dataset,metric,value\nx,MQ2008,MAP,0.4\n")
    before = given.read_bytes()
    for output in (given, tmp_path / "." / "my.csv", tmp_path):
        assert main(["compare", str(given), "--output", str(output)]) == 2
        assert given.read_bytes() == before
    assert "would be overwritten" in capsys.readouterr().err
    assert main(["compare", str(given), "--output", ""]) == 2


def test_a_link_to_a_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with new_folder(tmp_path / "link", replace=True) as folder:
        (folder / "x").touch()
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "x").exists()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("exchange", [True, False])
def test_a_folder_or_a_file_gives_way_to_the_new_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exchange: bool
) -> None:
    if not exchange:
        monkeypatch.setattr(atomic, "_exchange", lambda *_: False)
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "old").touch()
    for name in ("file", "folder", "none"):
        with new_folder(tmp_path / name, replace=True) as folder:
            (folder / "new").touch()
        assert [path.name for path in (tmp_path / name).iterdir()] == ["new"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder", "none"]


KILLED = """
import os, random, signal, sys, time
from pathlib import Path
from ltrlib import atomic

place, kills, exchange = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "exchange"
if not exchange:
    atomic._exchange = lambda *_: False
path = place / "set"
with atomic.new_folder(path) as folder:
    [(folder / str(number)).write_text("old") for number in range(5)]
random.seed(1)
none = 0
for _ in range(kills):
    child = os.fork()
    if child == 0:
        while True:
            with atomic.new_folder(path, replace=True) as folder:
                [(folder / str(number)).write_text("x") for number in range(5)]
    time.sleep(random.random() * 0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    none += not path.exists()
    atomic.remove_forgotten(place)
    assert sorted(one.name for one in path.iterdir()) == list("01234"), "not complete"
print(none)
"""


@pytest.mark.parametrize("way", ["exchange", "two renames"])
def test_killed_at_any_moment_a_replaced_folder_is_there_and_whole(tmp_path: Path, way: str) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path), "300", way]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    if way == "exchange" and sys.platform == "linux":
        assert done.stdout == "0\n"  # where the names are swapped in one step, there never is none


def test_what_was_forgotten_a_day_ago_is_removed_files_too(tmp_path: Path) -> None:
    (tmp_path / ".table.csv.unfinished-0123456789ab").touch()
    (tmp_path / ".set.unfinished-0123456789ab").mkdir()
    (tmp_path / ".now.unfinished-0123456789ab").touch()
    for old in (".table.csv.unfinished-0123456789ab", ".set.unfinished-0123456789ab"):
        os.utime(tmp_path / old, (time.time() - 90_000,) * 2)
    remove_forgotten(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".now.unfinished-0123456789ab"]
