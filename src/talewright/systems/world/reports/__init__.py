"""Reports: the true state of a world for its author, with a timeline and a picture of who told whom.

They are declared here, where the command line lists them without loading the system.
"""

from talewright.kernel.report_declarations import Report, ReportSubject

TIMELINE, KNOWLEDGE = "timeline", "knowledge"
REPORTS = (
    Report(
        "world",
        "show the true state of a world: who is where, who knows what, how far along plans are",
        ReportSubject.CAMPAIGN,
        pictures=(TIMELINE, KNOWLEDGE),
        for_author=True,
        example="dusty_tankard-1",
    ),
)
