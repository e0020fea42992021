"""The weight of the pages: our own style sheets and scripts together, not compressed."""

from pathlib import Path

import talewright.faces.web
from bench.figures import at_most, report

KILOBYTES_MAX = 80.0
KINDS = (".css", ".js")


def main() -> int:
    folder = Path(talewright.faces.web.__file__).parent / "static"
    sizes = {path.name: path.stat().st_size for path in sorted(folder.rglob("*")) if path.suffix in KINDS}
    for name, size in sizes.items():
        print(f"  {name}: {size / 1024:.1f} KB")
    return report([at_most("web_weight_kb", sum(sizes.values()) / 1024, KILOBYTES_MAX)])


if __name__ == "__main__":
    raise SystemExit(main())
