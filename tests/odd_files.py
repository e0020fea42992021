"""Odd files for tests: links, pipes, devices, sockets, folders and huge files, laid in place of a file."""

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

SECONDS_MAX = 1.0
HUGE_BYTES = 20 * 1024**3


def lay_link(place: Path, outside: Path) -> None:
    """A link to a file elsewhere."""
    place.symlink_to(outside / "diary.txt")


def lay_folder_link(place: Path, outside: Path) -> None:
    """A link to a folder elsewhere."""
    place.symlink_to(outside)


def lay_hanging_link(place: Path, outside: Path) -> None:
    """A link to a file that is not there yet."""
    place.symlink_to(outside / "not there")


def lay_endless_link(place: Path, outside: Path) -> None:
    """A link to a device that never ends."""
    place.symlink_to("/dev/zero")


def lay_second_name(place: Path, outside: Path) -> None:
    """A second name of a file elsewhere."""
    os.link(outside / "diary.txt", place)


def lay_pipe(place: Path, outside: Path) -> None:
    """A pipe at whose other end nobody is."""
    os.mkfifo(place)


def lay_socket(place: Path, outside: Path) -> None:
    """A socket."""
    here = os.open(place.parent, os.O_RDONLY)
    try:
        with socket.socket(socket.AF_UNIX) as one:
            # The path of a socket has about a hundred characters.
            one.bind(f"/proc/self/fd/{here}/{place.name}")
    finally:
        os.close(here)


def lay_device(place: Path, outside: Path) -> None:
    """A device that never ends."""
    os.mknod(place, 0o20600, os.makedev(1, 5))


def lay_folder(place: Path, outside: Path) -> None:
    """A folder that is not empty."""
    place.mkdir()
    (place / "in it").write_text("something")


def lay_huge(place: Path, outside: Path) -> None:
    """A file of more bytes than anybody would wait for."""
    with place.open("wb") as stream:
        stream.truncate(HUGE_BYTES)


KINDS: dict[str, Callable[[Path, Path], None]] = {
    lay.__name__.removeprefix("lay_"): lay
    for lay in (
        lay_link,
        lay_folder_link,
        lay_hanging_link,
        lay_endless_link,
        lay_second_name,
        lay_pipe,
        lay_socket,
        lay_device,
        lay_folder,
        lay_huge,
    )
}


@contextmanager
def within_a_second() -> Iterator[None]:
    """Fail where something computes longer, or waits for ever; how busy the machine is does not count."""

    def stop(number: int, frame: object) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 5 * SECONDS_MAX)
    begin = time.process_time()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.process_time() - begin < SECONDS_MAX


def look_at(folder: Path) -> dict[str, object]:
    """Everything in a folder: names, sizes, times and bytes."""
    return {
        str(path): (path.lstat().st_size, path.lstat().st_mtime_ns, path.is_file() and path.read_bytes())
        for path in [folder, *sorted(folder.rglob("*"))]
    }
