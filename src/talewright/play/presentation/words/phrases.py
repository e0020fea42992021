"""Phrases: the names of everything the engine itself says to a player.

There are no words here; they are in the catalogue `play` of each language.
"""

from enum import StrEnum, auto


class Phrase(StrEnum):
    """One thing to say. The parts in braces are the same in every language."""

    YES = auto()
    NO = auto()
    NOTHING = auto()
    AND = auto()
    """Between the parts of a list."""

    PART_OF = auto()
    """Between the name of an object and that of its member."""

    PAIR = auto()
    WITHIN = auto()
    CHANGED = auto()
    """A number."""

    CHANGED_WORDS = auto()
    GAINED = auto()
    LOST = auto()
    SET = auto()
    GONE = auto()
    LATER = auto()
    """After a clock has moved; the next one is too."""

    EARLIER = auto()
    HOURS = auto()
    """Depends on a number, like the next one."""

    MINUTES = auto()
    MEASURED = auto()
    """One of several numbers on a line."""

    COUNTED = auto()
    """A number that is named by its label, such as the day of a clock."""

    COUNTED_SHORT = auto()
    """The same with a label of one character."""

    WITH_REASON = auto()
    MASTER_CHANGE = auto()
    """What a game master changed on its own authority, and why."""

    MASTER_EVENT = auto()
    """What came of such a change."""

    MASTER_REASON = auto()
    """Why, if what has changed is shown elsewhere."""

    WITH_DETAIL = auto()
    REFUSED_CHANGE = auto()

    UNMATCHED = auto()
    NO_SUCH_CHOICE = auto()
    NO_SUCH_DECISION = auto()
    DECISION_FIRST = auto()
    PLAYER_DECIDES = auto()
    RELAYED = auto()
    TOO_LONG = auto()
    EMPTY = auto()
    OVER = auto()
    NOT_ALLOWED = auto()
    RISKY = auto()
    NO_TELLER = auto()
    MOVED = auto()
    TURN_OPEN = auto()
    OPEN_TURN_ENDS = auto()
    """Asked before another game master begins a turn, with the two answers that follow."""

    OPEN_TURN_END = auto()
    OPEN_TURN_WAIT = auto()
    UNTOLD = auto()
    """If the provider failed, its error is shown instead."""

    DECLINED = auto()
    UNCHANGED = auto()
    BUDGET = auto()
    BUDGET_ON_HOST = auto()
    """For players on a host, who have neither its commands nor its disks, like all that end in this way."""

    TIMED_OUT = auto()
    SKIPPED = auto()
    CANCELLED = auto()
    READ_ONLY = auto()
    NEWER_FORMAT = auto()
    UNSAVED = auto()
    CAMPAIGN_CLOSED = auto()
    UNSAVED_ON_HOST = auto()
    TROUBLE_ON_HOST = auto()
    """What may help if a provider failed."""

    TOO_MUCH_WORK = auto()
    CRASHED = auto()
    ERROR = auto()
    NOTHING_TO_RETRY = auto()
    LEAVING = auto()
    ROLLED_BACK = auto()
    CAUTION_REPHRASE = auto()
    CAUTION_GO_ON = auto()
    CAUTION_WITHDRAW = auto()
    REPHRASE = auto()
    """Shown together with the input that was held back."""

    WITHDRAWN = auto()

    READING = auto()
    TELLING = auto()
    JUDGING = auto()
    ROLLING = auto()
    UPDATING = auto()
    CONSULTING = auto()
    MENDING = auto()
    SAVING = auto()
    WITH_SHARE = auto()
    """How much of the prompt has been read."""

    ASKING_AGAIN = auto()
    AGAIN_FORM = auto()
    """Why a model is asked again, like the four that follow."""

    AGAIN_RULES = auto()
    AGAIN_WORDS = auto()
    AGAIN_CUT = auto()
    AGAIN_BROKEN = auto()
    STOOD_IN = auto()
    """A written scene was used instead of the model; the reason follows it."""

    STOOD_IN_FORM = auto()
    STOOD_IN_DECLINED = auto()
    STOOD_IN_SKIPPED = auto()
    STOOD_IN_BUDGET = auto()
    STOOD_IN_HELP = auto()
    STOOD_IN_HELP_ON_HOST = auto()
    BACKGROUND = auto()
    BACKGROUND_FAILED = auto()
    BACKGROUND_FAILED_ON_HOST = auto()
    WORK_PAGES = auto()
    """What may go wrong after a turn, like the four that follow."""

    WORK_ERRANDS = auto()
    WORK_SUMMARY = auto()
    WORK_PANELS = auto()
    WORK_AHEAD = auto()

    RETRY = auto()
    RETRY_HINT = auto()
    ROLLBACK = auto()
    ROLLBACK_HINT = auto()
    QUIT = auto()
    QUIT_HINT = auto()

    ADOPTED = auto()
    ADOPTING = auto()
    ADOPTED_TEXTS = auto()
    ADOPTED_NEW = auto()
    ADOPTED_GONE = auto()
    ADOPTED_OTHER = auto()
    NOT_ADOPTED = auto()
    NOT_ADOPTED_WHY = auto()
    DAMAGED = auto()
    DAMAGED_ON_HOST = auto()
    NO_SCENE = auto()
    CONTEXT_SMALL = auto()
    GAME_MISSING = auto()
    GAME_FAULTY = auto()
    GAME_FAULTY_MORE = auto()
    RECORD_SHORTER = auto()
    PAGES_UNWRITTEN = auto()
    PANELS_MISSING = auto()
    PANELS_MISSING_ON_HOST = auto()
    EDIT_KEPT = auto()
    EDIT_LEFT = auto()
    EDIT_UNREAD = auto()
    EDIT_TAKEN = auto()
    EDIT_REFUSED = auto()

    HEADING_BACK = auto()
    """For the history of the campaign's folder, like the three that follow."""

    HEADING_BEGINNING = auto()
    HEADING_BRANCH = auto()
    HEADING_SWITCH = auto()

    UNFINISHED_OPENING = auto()
    UNFINISHED_GO_ON = auto()

    BY_MODEL = auto()
    BY_MASTER = auto()
    BY_PLAYER = auto()
    BY_EDIT = auto()
    BY_SCENE = auto()
    BY_FINALE = auto()
    BY_TRIGGER = auto()
    BY_SYSTEM = auto()
    BY_ASIDE = auto()
    BY_IMPORT = auto()
    BY_ENGINE = auto()
    BY_FOUNDING = auto()
    WITH_ROLL = auto()

    DICE_LEFT_OUT = auto()
    DIE_REROLLED = auto()
    DIE_WORTH = auto()
    DIE_COUNTS = auto()
    DIE_AGAIN = auto()
    """Between the faces of a die that exploded."""

    POOL_BEST_ONE = auto()
    POOL_BEST = auto()
    POOL_WORST_ONE = auto()
    POOL_WORST = auto()
    POOL_NOT_BEST_ONE = auto()
    POOL_NOT_BEST = auto()
    POOL_NOT_WORST_ONE = auto()
    POOL_NOT_WORST = auto()
    POOL_REROLL = auto()
    POOL_EXPLODE = auto()
    POOL_SUCCESS = auto()
    POOL_LEAST = auto()
    POOL_MOST = auto()
    FACES_FROM = auto()
    FACES_TO = auto()

    DID_YOU_MEAN = auto()
    """If the player's words could mean these choices."""

    NUMBERED_CHOICE = auto()
    OR = auto()
    """Between two such choices."""

    TELLER_STEPS = auto()
    """How to set up a storyteller, where none reads the player's words."""

    TELLER_STEPS_ON_HOST = auto()
    YOU = auto()
    """The player among those who fight."""

    FIGHT = auto()
    """A fight on one line, with its round, whose turn it is and how everyone is doing."""

    YOUR_TURN = auto()
    TURN_OF = auto()
    ROLLS_OF_OTHERS = auto()
    """Several rolls of others, on one line."""

    ROLL_CHANCE = auto()
    ROLL_DRAWN = auto()
    """A number below the chance is a success."""

    ROLL_NEEDED = auto()
    ROLL_SUCCESS = auto()
    ROLL_FAILURE = auto()
    ROLL_HIDDEN = auto()
    ROLL_BLOCKED = auto()
    ROLL_PARTIAL = auto()
    ROLL_CRITICAL_SUCCESS = auto()
    ROLL_CRITICAL_FAILURE = auto()
    VERDICT_SUCCESS = auto()
    """An outcome by itself, like the five that follow."""

    VERDICT_FAILURE = auto()
    VERDICT_PARTIAL = auto()
    VERDICT_CRITICAL_SUCCESS = auto()
    VERDICT_CRITICAL_FAILURE = auto()
    VERDICT_BLOCKED = auto()
    CHANCE_SUCCESS = auto()
    CHANCE_PARTIAL = auto()
    CHANCE_TOTAL = auto()
