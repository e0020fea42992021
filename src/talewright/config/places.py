"""Places: where the settings file of a user lies on this machine.

A path only: nothing is opened, and this module is light, for every start looks here.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

HOME_VARIABLE = "TALEWRIGHT_HOME"
"""Names one folder for everything, settings included."""

SETTINGS_FILE = "settings.toml"


def find_settings_file(environment: Mapping[str, str], home: Path) -> Path:
    """Where the settings of a user lie on this kind of machine."""
    named = environment.get(HOME_VARIABLE, "")
    if named:
        return Path(named) / SETTINGS_FILE
    shared = environment.get("XDG_CONFIG_HOME", "")
    if shared and os.path.isabs(shared):
        return Path(shared) / "talewright" / SETTINGS_FILE
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "talewright" / SETTINGS_FILE
    if sys.platform == "win32":
        roaming = environment.get("APPDATA", str(home / "AppData" / "Roaming"))
        return Path(roaming) / "talewright" / SETTINGS_FILE
    return home / ".config" / "talewright" / SETTINGS_FILE
