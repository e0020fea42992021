"""`talewright doctor`: checks that everything works, and prints one line per check.

It prints what `bootstrap/doctor_checks.py` finds, and repairs nothing.
"""

import argparse
import json
import os
import sys
from dataclasses import asdict
from functools import partial

from talewright.bootstrap import installed_systems, open_provider_factory, user_places
from talewright.bootstrap.doctor_checks import CheckupResult, examine
from talewright.cli.command_options import add_json, add_saves_option, saves_folder
from talewright.cli.help.help_texts import Commands, add_command
from talewright.cli.terminal_text import printable

UNWELL = 1
"""The exit code if something does not work."""


def add_doctor(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_command(
        commands,
        "doctor",
        "Check Python, the package, the games, your campaigns, git, the terminal, the keyring and the "
        "models. Each line says ok, or what is wrong and what to do next.\n\n"
        "Exit code 0: everything works; 1: something does not; 2: wrong usage.",
        "talewright doctor",
        "talewright doctor --json",
    )
    add_saves_option(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run all checks; return 1 if something does not work."""
    places = user_places()
    encoding = getattr(sys.stdout, "encoding", "") or ""
    findings = []
    for finding in examine(
        places,
        saves_folder(arguments) or places.saves,
        installed_systems,
        partial(open_provider_factory, os.environ),
        encoding,
    ):
        findings.append(finding)
        if not arguments.json:
            print(f"{finding.verdict:<4}  {finding.subject}: {printable(finding.text)}", flush=True)
            if finding.todo:
                print(f"      {printable(finding.todo)}", flush=True)
    well = all(finding.verdict is not CheckupResult.BAD for finding in findings)
    if arguments.json:
        facts = {"well": well, "findings": [asdict(finding) for finding in findings]}
        print(json.dumps(facts, indent=2, ensure_ascii=False))
    return 0 if well else UNWELL
