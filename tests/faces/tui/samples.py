"""Samples: values of play with something of everything in them, for trying out what draws them.

Only values; what hands them out stands in `fakes`.
"""

from dataclasses import replace

from talewright.play.campaign_view import (
    CardView,
    ChangeView,
    ChoiceView,
    DecisionView,
    PanelView,
    PartKind,
    PartView,
    RollView,
    StatusView,
    TurnView,
    View,
    Viewer,
)

TURN = TurnView(
    commit="c3",
    version=3,
    said="Pay her",
    narration="She counts the **coins** twice.\n\nThe door closes behind you.",
    rolls=(RollView("Climb 2d6 (3, 4) = 7, 8 or more needed: failure", 7, "2d6", (3, 4), "fail"),),
    changes=(
        ChangeView("suspicion", "Suspicion 20 -> 30 (seen at the plant)"),
        ChangeView("known", "Known + He went down."),
    ),
    events=("Somebody follows you.",),
    refusals=("Coins stay as they are: the rules did not allow the change.",),
)

VIEW = View(
    campaign="mist-1",
    game="mist",
    title="Mist Harbor",
    language="en",
    viewer=Viewer.PLAYER,
    branch="main",
    head="c3",
    version=3,
    turn=TURN,
    status=(
        StatusView("Life", "80/100", "-5", False, 80, 0, 100),
        StatusView("Energy", "10/100", "", True, 10, 0, 100),
        StatusView("At", "the pier", "the bar -> the pier"),
    ),
    cards=(
        CardView("suspicion", "Suspicion", "bar", ("30/100",), "How many eyes.", "+10", 30, 0, 100),
        CardView("trust", "Trust", "plain", ("4",), "", "", 4, -10, 10),
        CardView("bag", "Pockets", "list", ("watch", "knife"), "What you carry.", "+knife"),
        CardView("known", "Known", "chips", ("He went down.",), "", "+He went down."),
        CardView("time", "Time", "keyvalue", ("Day: 1", "Hour: 22"), "", "Hour +1"),
    ),
    panels=(
        PanelView(
            "spiral",
            "Spiral",
            ("Resist 2 of 3", "twisted ankle, lost bearings"),
            (
                PartView(PartKind.METER, "Resist", ("2 of 3",), 2, 3),
                PartView(PartKind.CHIPS, "Glitches", ("twisted ankle", "lost bearings")),
                PartView(PartKind.LINES, "Scene", ("Wolf Clan border", "shallow ford")),
                PartView(PartKind.ROLLED, "Oracle", ("Yes, but",), 4, None, (4,)),
            ),
        ),
    ),
    choices=(
        ChoiceView("in", "Go in", "It is dark.", "medium"),
        ChoiceView("wait", "Wait"),
        ChoiceView("jump", "Jump", "", "high"),
    ),
    marks=("pier",),
    branches=("main", "branch-1"),
)

DECISION = DecisionView(
    "check", "Climb the wall?", ("Two dice, 8 or more.",), (("yes", "Roll"), ("no", "Let it be"))
)

TURNS = (
    *(TurnView(f"c{each}", each, f"step {each}", f"The road goes on, {each}.") for each in range(1, 3)),
    TURN,
)


def after(view: View, narration: str, *, said: str = "") -> View:
    """The view one turn later."""
    version = view.version + 1
    head = f"c{version}"
    return replace(view, head=head, version=version, turn=TurnView(head, version, said, narration))
