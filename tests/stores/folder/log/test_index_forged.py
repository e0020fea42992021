"""Forged indexes: their seals are right and their contents are not. They are made again from the log."""

import asyncio
import hashlib
import json
from pathlib import Path

import pytest

from talewright.chronicle.chained_lines import GENESIS, RecordFrame, read_frame
from talewright.stores.folder.log.index_trie import (
    TrieGrowth,
    TrieRef,
    UnfitError,
    check_node,
    find_in_trie,
    hash_node,
)
from talewright.stores.folder.log.record_index import _FOOTER, MAGIC
from tests.stores.sessions import CAMPAIGN, open_store, read_all, write_turns

TURNS = 3

HEADS = {
    "no JSON": b"{",
    "a list": b"[]",
    "empty": b"{}",
    "odd types": json.dumps({"end": "x", "chain": 5, "last": 7, "root": [1], "live": []}).encode(),
}


def seal(identity: bytes, offset: int, node: bytes) -> bytes:
    """A node with a footer that names it as the head."""
    body = _FOOTER.pack(MAGIC, offset, len(node), hash_node(node), b"")[:-32]
    return node + body + hashlib.sha256(identity + body).digest()


@pytest.mark.parametrize("head", HEADS)
def test_a_forged_head_is_not_believed(tmp_path: Path, head: str) -> None:
    records = asyncio.run(write_turns(tmp_path, TURNS))
    folder = tmp_path / CAMPAIGN
    first = read_frame((folder / "chronicle.jsonl").read_bytes(), 0, GENESIS)
    assert isinstance(first, RecordFrame)
    (folder / "index.bin").write_bytes(seal(first.chain, 0, HEADS[head]))

    async def scene() -> None:
        book = await open_store(tmp_path).open(CAMPAIGN)
        assert await read_all(book) == records
        assert (await book.branches()) == {"main": f"c{TURNS}"}
        assert (await book.read("c2")).id == "c2"
        await book.close()

    asyncio.run(scene())


@pytest.mark.parametrize("node", [b"L123", b"I123", b"L" + bytes(32) + b"\0\0\0\1" + b"?" * 45])
def test_a_forged_node_is_unfit(node: bytes) -> None:
    ref = TrieRef(0, len(node), hash_node(node))
    assert check_node(node, ref) == node
    with pytest.raises(UnfitError):
        TrieGrowth(lambda _: node, 0).grow(ref, {"key": []})


def test_a_node_of_no_bytes_and_a_path_without_end_are_unfit() -> None:
    with pytest.raises(UnfitError):
        check_node(b"", TrieRef(0, 1, hash_node(b"")))
    with pytest.raises(UnfitError):
        find_in_trie(lambda _: b"I123", TrieRef(0, 4, b""), "key")
    endless = b"I" + (bytes(8) + b"\0\0\0\1" + bytes(16)) * 16
    with pytest.raises(UnfitError):
        find_in_trie(lambda _: endless, TrieRef(0, 4, b""), "key")
    with pytest.raises(UnfitError):
        TrieGrowth(lambda _: endless, 0).grow(TrieRef(0, 4, b""), {"key": []})


def test_nodes_that_name_the_same_ones_again_and_again_are_not_copied_for_ever() -> None:
    nodes = {hash_node(b"L"): b"L"}
    ref = TrieRef(0, 1, hash_node(b"L"))
    for _ in range(30):
        data = b"I" + (ref.offset.to_bytes(8, "big") + ref.size.to_bytes(4, "big") + ref.hash) * 16
        ref = TrieRef(0, len(data), hash_node(data))
        nodes[ref.hash] = data
    with pytest.raises(UnfitError):
        TrieGrowth(lambda one: nodes[one.hash], 0, size_max=100_000).copy(ref)
