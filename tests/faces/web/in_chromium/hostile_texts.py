"""Hostile texts from a seeded grammar: markup, scripts, addresses and styles in every disguise.

Each has its number. Whatever runs calls `hit`, and whatever is fetched comes from the address that is given.
"""

import json
import random
from collections.abc import Callable
from html import escape
from typing import Final

TEMPLATES: Final = (
    *("<script>{js}</script>", "<script src={url}></script>", "<script type=module>import '{url}'</script>"),
    *("<img src=x onerror={js}>", "<img src={url}.png>", "<img srcset='{url} 2x'>", "<image href={url}>"),
    *("<svg onload={js}>", "<svg><script>{js}</script></svg>", "<svg><use href='{url}#a'/></svg>"),
    *("<svg><animate onbegin={js} attributeName=x dur=1s>", "<svg><a xlink:href='javascript:{js}'><text>x"),
    *("<math><mtext><style><img src=x onerror={js}></style>", "<math href='javascript:{js}'>x</math>"),
    *("<a href='javascript:{js}'>x</a>", "<a href='data:text/html,<script>{js}</script>'>x</a>"),
    *("[x](javascript:{js})", "[x]({url})", "![x]({url}.png)", "![x](data:image/svg+xml,<svg onload={js}>)"),
    *("<{url}>", "[x]: {url} 'y'", "<javascript:{js}>", "{url}", "javascript:{js}", "data:text/html,{js}"),
    *("<style>*{{background:url({url})}}</style>", "<style>@import '{url}';main{{display:none}}</style>"),
    *(
        "<link rel=stylesheet href={url}>",
        "<link rel=prefetch href={url}>",
        "<p style='background:url({url})'>",
    ),
    *("<iframe srcdoc='<script>parent.{js}</script>'>", "<iframe src='javascript:parent.{js}'></iframe>"),
    *("<object data={url}>", "<embed src='data:text/html,<script>{js}</script>'>", "<base href={url}>"),
    *(
        "<meta http-equiv=refresh content='0;url={url}'>",
        "<body onload={js}>",
        "<input autofocus onfocus={js}>",
    ),
    *("<details open ontoggle={js}>x</details>", "<video><source onerror={js}></video>", "<audio src={url}>"),
    *("<form action={url}><button autofocus onfocus={js}>x</form>", "<marquee onstart={js}>x</marquee>"),
    *("<div style=animation-name:x onanimationstart={js}>", "<template><script>{js}</script></template>"),
    *(
        "<!--><img src=x onerror={js}>-->",
        "<!-- --!><script>{js}</script>",
        "<![CDATA[<script>{js}</script>]]>",
    ),
    *(
        "{{{{ {js} }}}}",
        "{{% raw %}}<script>{js}</script>",
        "${{{js}}}",
        "<%= {js} %>",
        "#{{{js}}}",
        "{{{{7*7}}}}",
    ),
    *(
        "expression({js})",
        "url({url})",
        "@font-face{{src:url({url})}}",
        "\\u003cscript\\u003e{js}",
        "%3Cscript%3E{js}",
    ),
    *("<noscript><p title='</noscript><img src=x onerror={js}>'>", "<xmp><script>{js}</script></xmp>"),
)
"""What would run or fetch something if it were markup; `{js}` runs, `{url}` is fetched."""

BREAKERS: Final = (
    *(
        "",
        "",
        '">',
        "'>",
        "</p>",
        "</textarea>",
        "</title>",
        "</script>",
        "</style>",
        "-->",
        "]]>",
        "</svg>",
        "\\",
    ),
    *(
        "';",
        '" ',
        "`",
        "*",
        "**",
        "<",
        "&",
        "\u202e",
        "\u200b",
        "\ufeff",
        "雾港",
        "é",
        "👩\u200d🚀",
        "\u2028",
        "</button>",
    ),
)
"""What ends the place where a text stands."""

DISGUISES: Final[tuple[Callable[[str, random.Random], str], ...]] = (
    lambda text, chance: text,
    lambda text, chance: text,
    lambda text, chance: "".join(chance.choice((one.upper(), one.lower())) for one in text),
    lambda text, chance: escape(text),
    lambda text, chance: "".join(f"&#{ord(one)};" if chance.random() < 0.3 else one for one in text),
    lambda text, chance: "".join(f"&#x{ord(one):x}" if one in "<>:" else one for one in text),
    lambda text, chance: text.replace("<", "\uff1c").replace(">", "\uff1e"),
    lambda text, chance: text.replace("script", "scr\x00ipt").replace("=", "\x0b=\x0c"),
    lambda text, chance: text.replace("script", "scr<script>ipt").replace("on", "o\u200bn"),
    lambda text, chance: text.replace(" ", chance.choice("/\t\n")),
    lambda text, chance: f"*{text}*",
    lambda text, chance: f"**{text[: len(text) // 2]}**{text[len(text) // 2 :]}",
    lambda text, chance: f"`{text}`",
    lambda text, chance: f"<{text}",
    lambda text, chance: text.replace(">", ""),
    lambda text, chance: json.dumps(text),
)


def make_hostile_texts(count: int, seed: int, evil: str) -> list[str]:
    """So many texts; `evil` is the address of a server that must never be asked."""
    chance = random.Random(seed)
    return [_make_text(number, chance, f"{evil}{seed}-{number}") for number in range(count)]


def _make_text(number: int, chance: random.Random, url: str) -> str:
    made = ""
    for _ in range(chance.choice((1, 1, 2))):
        text = chance.choice(TEMPLATES).format(js=f"hit({number})", url=url)
        text = chance.choice(DISGUISES)(text, chance)
        made += chance.choice(BREAKERS) + text + chance.choice(BREAKERS)
    return f"No. {number}: {made[:250]} (end of {number})"


def strip_invisible(text: str) -> str:
    """What must be seen of a text wherever it stands: its printable ASCII but for emphasis and spaces."""
    return "".join(one for one in text if "!" <= one <= "~" and one != "*")
