"""The gist: words without the signs of Markdown, also where a sign's other half was cut away."""

import pytest

from talewright.faces.tui.story.markdown_blocks import read_one_line


@pytest.mark.parametrize(
    ("text", "gist"),
    [
        ("", ""),
        ("The door closes.", "The door closes."),
        ("She counts the **coins** *twice*.", "She counts the coins twice."),
        ("# The _Pier_", "The Pier"),
        ("> “Who is there?”", "“Who is there?”"),
        ("> > deep", "deep"),
        ("- a knife", "a knife"),
        ("* * *", ""),
        ("---", ""),
        ("```", ""),
        ("|---|:-:|", ""),
        ("| coins | 12 |", "coins | 12"),
        ("1987. A good year.", "1987. A good year."),
        ("Read `the log` now", "Read the log now"),
        ("**The door closes", "The door closes"),
        ("behind you.** Then", "behind you. Then"),
        ("and *nobody answers", "and nobody answers"),
        ("nobody answers*", "nobody answers"),
        ("雾**港**起了**风", "雾港起了风"),
        ("2 * 3 and snake_case stay", "2 * 3 and snake_case stay"),
        ("a [map](https://example.org)", "a map (https://example.org)"),
        ("a ![map](x)", "a map"),
        ("[red]markup[/red] is words", "[red]markup[/red] is words"),
        ("a\n\nb\nc", "a b c"),
        ("| a | b |\n|---|---|\n| c | d |", "a b c d"),
        ("    code here", "code here"),
    ],
)
def test_gist(text: str, gist: str) -> None:
    assert read_one_line(text) == gist
