"""Help texts: how `--help` is formatted, and how a command is added with its description and examples.

It imports nothing of the engine, because every command waits for it.
"""

import argparse
from typing import Any, TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""Where a command registers its parser; argparse has no public name for this type."""


class HelpLayout(argparse.HelpFormatter):
    """Wraps paragraphs, and keeps lines that are indented, such as examples and tables."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text
        paragraphs = text.split("\n\n")
        return "\n\n".join(
            paragraph if "\n  " in f"\n{paragraph}" else fill(paragraph, width, indent)
            for paragraph in paragraphs
        )

    def _format_action(self, action: argparse.Action) -> str:
        if action.nargs != argparse.PARSER:
            return super()._format_action(action)
        # The heading says that these are commands, so their placeholder needs no line.
        return "".join(map(self._format_action, list(self._iter_indented_subactions(action))))


class OverviewParser(argparse.ArgumentParser):
    """The parser of the program, whose help lists the commands in groups."""

    def __init__(self, groups: dict[str, dict[str, str]], **options: Any) -> None:
        super().__init__(formatter_class=HelpLayout, **options)
        self.groups = groups
        """What each command does, by name, under the heading of its group."""

    def format_help(self) -> str:
        """The help: usage, description, each group of commands, the options, and examples."""
        formatter = self._get_formatter()
        options = [action for action in self._actions if action.option_strings]
        formatter.add_usage(self.usage, self._actions, ())
        formatter.add_text(self.description)
        for title, commands in self.groups.items():
            formatter.start_section(title)
            formatter.add_arguments(
                [argparse.Action((), name, metavar=name, help=text) for name, text in commands.items()]
            )
            formatter.end_section()
        formatter.start_section("options")
        formatter.add_arguments(options)
        formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()


def add_command(
    commands: Commands, name: str, description: str, *examples: str, summary: str = "", **options: Any
) -> argparse.ArgumentParser:
    """Add a parser for a command, with examples of its use; a subcommand has a summary for the list."""
    if summary:
        options["help"] = summary
    parser = commands.add_parser(
        name,
        description=description,
        epilog="\n  ".join(("examples:" if len(examples) > 1 else "example:", *examples)),
        formatter_class=HelpLayout,
        **options,
    )
    parser._positionals.title = "arguments"
    return parser


def add_subcommands(parser: argparse.ArgumentParser, *, required: bool = False) -> Commands:
    """Where a command adds its subcommands."""
    return parser.add_subparsers(
        title="commands", metavar="COMMAND" if required else "[COMMAND]", required=required
    )
