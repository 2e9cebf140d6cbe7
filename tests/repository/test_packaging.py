"""What pyproject.toml says is what the folders hold."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from importlib import metadata
from pathlib import Path

import pytest
from core_sources import script
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from places import ROOT

PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_every_folder_with_modules_is_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without an __init__.py would be missing from the wheel, since setup.py finds
    packages by that file. No package is in the wheel twice.
    """
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("setuptools.setup", lambda **said: None)
    setup = script(ROOT / "setup.py")

    def folder_of(package: str) -> str:
        room = max((one for one in setup.ROOMS if f"{package}.".startswith(f"{one}.")), key=len)
        return "/".join([setup.ROOMS[room], *package.removeprefix(room).split(".")[1:]])

    folders = {
        str(path.parent.relative_to(ROOT))
        for room in setup.ROOMS.values()
        for path in (ROOT / room).rglob("*.py")
    }

    assert sorted(map(folder_of, setup.packages())) == sorted(folders)


def test_every_extra_that_a_message_or_a_page_names_exists() -> None:
    extras = set(
        re.findall(
            r"^(\w+) = \[",
            PYPROJECT.split("[project.optional-dependencies]")[1].split("[dependency-groups]")[0],
            re.M,
        )
    )
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "npm" / "README.md"]
    modules = [one for room in ("reader", "builder") for one in (ROOT / room).rglob("*.py")]
    sources = "".join(path.read_text(encoding="utf-8") for path in [*pages, *modules])
    named = set(re.findall(r'needed\("[\w.]+", "(\w+)"', sources)) | {
        one for names in re.findall(r"pocketindex\[([\w,]+)\]", sources) for one in names.split(",")
    }

    assert {"parquet", "html", "mkdocs", "pdf", "sphinx", "warc", "wiki", "zim", "zst"} <= named
    assert "evaluate" in named
    assert named <= extras


def test_the_version_is_written_once_in_each_place() -> None:
    import pocketindex

    assert f'version = "{pocketindex.__version__}"' in PYPROJECT


def test_a_registry_gets_a_readme_whose_links_lead_to_the_tagged_files() -> None:
    make, text = script(ROOT / "data" / "make_readme.py"), (ROOT / "README.md").read_text("utf-8")
    base = "https://example.org/name"
    linked = make.absolute(text, f"{base}/", "v1.0.0")
    targets = re.findall(r"\]\(([^)]*)\)", linked)
    paths = [one.removeprefix(f"{base}/blob/v1.0.0/").partition("#")[0] for one in targets]

    assert f"]({base}/raw/v1.0.0/docs/images/page.png)" in linked
    assert len(targets) > 20
    assert all(one.startswith("https://") for one in targets)
    assert [one for one in paths if "://" not in one and not (ROOT / one).is_file()] == []
    assert re.sub(r"https://example.org/name/(raw|blob)/v1.0.0/", "", linked) == text


def test_without_an_address_a_registry_gets_no_link_that_leads_nowhere() -> None:
    make = script(ROOT / "data" / "make_readme.py")
    text = "![a picture](docs/a.png)\n[one](docs/a.md#b), [two](https://example.org), [three](#c)\n"

    assert make.absolute(text, "", "v1") == "\none, [two](https://example.org), [three](#c)\n"


def test_the_addresses_are_those_of_pyproject(tmp_path: Path) -> None:
    make = script(ROOT / "data" / "make_readme.py")
    toml = '[project]\nversion = "1.0"\n{}[project.scripts]\na = "b"\n'
    urls = '[project.urls]\nRepository = "https://a.example/r"\nIssues = "https://a.example/i"\n\n'
    (tmp_path / "README.md").write_text("[one](a.md)")

    (tmp_path / "pyproject.toml").write_text(toml.format(urls))
    assert make.addresses(tmp_path) == {
        "Repository": "https://a.example/r",
        "Issues": "https://a.example/i",
    }
    assert make.readme(tmp_path) == "[one](https://a.example/r/blob/v1.0/a.md)"
    (tmp_path / "pyproject.toml").write_text(toml.format(""))
    assert make.addresses(tmp_path) == {}


def test_nothing_in_the_repository_names_a_machine() -> None:
    import subprocess

    # Only a checkout has a list of its files.
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True, check=False
    )
    for name in listed.stdout.split("\n"):
        path = ROOT / name
        if path.suffix in {".py", ".c", ".h", ".md", ".toml", ".txt", ".sh"} and path.is_file():
            assert not re.search(
                r"/(work|farm|root)/",
                path.read_text(encoding="utf-8").replace("/(work|farm|root)/", ""),
            ), name


def constraints() -> dict[str, Requirement]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found = [Requirement(line) for line in lines if not line.startswith("#")]
    return {canonicalize_name(one.name): one for one in found}


def test_every_requirement_has_a_tested_version_that_it_allows() -> None:
    known = constraints()
    listed = re.findall(
        r"^(?:dependencies|requires|\w+) = (\[[^\[\]]*\])$",
        PYPROJECT.split("[project.scripts]")[0],
        re.M,
    )
    named = {
        Requirement(one)
        for found in listed
        for one in re.findall(r'"([\w-]+(?:[<>=][^"]*)?)"', found)
        if ">" in one or "==" in one
    }

    assert len(named) > 20
    for requirement in named:
        if requirement.marker and not requirement.marker.evaluate():
            continue  # for another Python than the one that the versions are of
        (tested,) = known[canonicalize_name(requirement.name)].specifier
        assert tested.operator == "=="
        assert requirement.specifier.contains(tested.version), requirement


@pytest.mark.skipif(
    "CI" not in os.environ or sys.version_info[:2] != (3, 11),
    reason="other versions may be installed outside of .ci/run",
)
def test_what_is_installed_is_what_is_tested() -> None:
    known = constraints()
    # Not those of sys.path: setuptools, which another test loads, adds packages of its own to it.
    installed = metadata.distributions(path=[sysconfig.get_path("purelib")])
    found = {canonicalize_name(one.metadata["Name"]): one.version for one in installed}
    found.pop(canonicalize_name("pocketindex"), None)

    assert len(found) > 20
    assert found == {name: next(iter(known[name].specifier)).version for name in found}
