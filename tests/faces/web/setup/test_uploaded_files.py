"""Uploads: what browsers send is read byte by byte, and anything else is refused."""

import random

import httpx
import pytest

from talewright.faces.web.setup.uploaded_files import PARTS_MAX, UploadedForm, read_upload
from talewright.play.wire.view_codec import WireError

SEED = 2107
KIND = "multipart/form-data; boundary=XyZ"


def write(parts: list[tuple[str, bytes]], mark: str = "XyZ") -> bytes:
    body = b"".join(
        f"--{mark}\r\nContent-Disposition: form-data; name={name}\r\n\r\n".encode() + data + b"\r\n"
        for name, data in parts
    )
    return body + f"--{mark}--\r\n".encode()


def test_a_file_comes_as_it_was_sent() -> None:
    data = bytes(range(256)) * 3 + b"\r\n--Xy\r\n\r\n--"
    found = read_upload(KIND, write([('"name"', "雾".encode()), ('"file"; filename="雾 港.json"', data)]))
    assert found == UploadedForm({"name": "雾"}, "雾 港.json", data)


def test_what_another_client_sends_is_read_too() -> None:
    sent = httpx.Request("POST", "http://x/", files={"file": ("a.json", b"{}")}, data={"name": "n"})
    found = read_upload(sent.headers["content-type"], sent.read())
    assert (found.file_name, found.data, found.fields) == ("a.json", b"{}", {"name": "n"})


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/plain", b""),
        ("multipart/form-data", b""),
        (f"multipart/form-data; boundary={'x' * 71}", b""),
        (KIND, b""),
        (KIND, b"--XyZ"),
        (KIND, b"--XyZ\r\nno end of the head"),
        (KIND, b"--XyZ\r\nContent-Type: x\r\n\r\nno name\r\n--XyZ--"),
        (KIND, write([('"a"', b"1")])[:-9]),
        (KIND, write([('"a"', b"1")] * (PARTS_MAX + 1))),
        (KIND, write([('"a"', b"x" * 20_000)])),
        (KIND, write([('"a"; filename="1"', b"1"), ('"a"; filename="2"', b"2")])),
        (
            KIND,
            b'--XyZ\r\nContent-Disposition: form-data; name="a"; x=' + b"y" * 5000 + b"\r\n\r\n1\r\n--XyZ--",
        ),
    ],
)
def test_anything_else_is_refused(kind: str, body: bytes) -> None:
    with pytest.raises(WireError):
        read_upload(kind, body)


def test_broken_uploads_never_do_worse() -> None:
    pick = random.Random(SEED)
    good = write([('"name"', b"n"), ('"file"; filename="a.json"', b'{"a": 1}')])
    for _ in range(3_000):
        body = bytearray(good)
        for _ in range(pick.randrange(1, 6)):
            at = pick.randrange(len(body))
            body[at : at + pick.randrange(3)] = bytes(pick.randrange(256) for _ in range(pick.randrange(3)))
        try:
            read_upload(KIND, bytes(body))
        except WireError:
            continue
