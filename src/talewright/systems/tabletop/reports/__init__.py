"""Reports: what the tabletop adds to the command line, about rulebooks and about rolls.

They read a game or a campaign and change nothing. They are declared here, where the command line lists them
without loading the system.
"""

from talewright.kernel.report_declarations import Report, ReportSubject

RULES, ROLLS = "rules", "rolls"
REPORTS = (
    Report(
        RULES, "show what the engine understands of a rulebook", ReportSubject.GAME, example="goblin_road"
    ),
    Report(ROLLS, "list every roll of a campaign", ReportSubject.CAMPAIGN, example="goblin_road-1"),
)
