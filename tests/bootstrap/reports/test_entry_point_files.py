"""Entry points read from the files of installed packages, as `importlib.metadata` reads them."""

from importlib.metadata import entry_points
from pathlib import Path

from talewright.bootstrap.reports.entry_point_files import SYSTEMS_GROUP, read_entry_points
from talewright.bootstrap.reports.installed_reports import REPORTS_GROUP


def write_package(folder: Path, name: str, text: str) -> None:
    metadata = folder / f"{name}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "entry_points.txt").write_text(text, "utf-8")


def test_the_standard_library_finds_the_same() -> None:
    groups = (SYSTEMS_GROUP, REPORTS_GROUP, "console_scripts", "pytest11", "nobody's")
    found = read_entry_points(groups)
    for group in groups:
        assert found[group] == {one.name: one.value for one in entry_points(group=group)}
    assert found[SYSTEMS_GROUP]
    assert set(found[SYSTEMS_GROUP]) == set(found[REPORTS_GROUP])


def test_groups_comments_and_spaces_are_understood(tmp_path: Path) -> None:
    write_package(
        tmp_path,
        "lantern-1.0",
        "# a comment = none\n[console_scripts]\nlantern = lantern:main\n\n[a]\n ; neither = this\n"
        "one=lantern:one\n two = lantern.two:two [extra]\n\n[b]\nthree = lantern:three\n",
    )
    assert read_entry_points(("a", "c"), [str(tmp_path)]) == {
        "a": {"one": "lantern:one", "two": "lantern.two:two [extra]"},
        "c": {},
    }


def test_the_first_of_two_packages_counts_and_what_cannot_be_read_is_skipped(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    write_package(first, "my_lantern-2.0", "[a]\nnew = lantern:new\n")
    write_package(second, "My_Lantern-1.0", "[a]\nold = lantern:old\n")
    write_package(second, "oil-1.0", "[a]\noil = oil:oil\nnew = oil:new\n")
    (second / "empty-1.0.dist-info").mkdir()
    (second / "odd-1.0.dist-info").mkdir()
    (second / "odd-1.0.dist-info" / "entry_points.txt").write_bytes(b"[a]\nodd = \xff\n")
    path = [str(first), str(tmp_path / "nowhere"), str(second), str(first)]
    assert read_entry_points(("a",), path) == {"a": {"new": "lantern:new", "oil": "oil:oil"}}
