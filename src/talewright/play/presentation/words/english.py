"""The engine's own words for players in English.

Words only; the parts in braces are those of `phrases`.
"""

from collections.abc import Mapping

from talewright.play.presentation.words.phrases import Phrase

ENGLISH: Mapping[Phrase, str] = {
    Phrase.YES: "yes",
    Phrase.NO: "no",
    Phrase.NOTHING: "none",
    Phrase.AND: ", ",
    Phrase.PART_OF: ": ",
    Phrase.PAIR: "{name}: {value}",
    Phrase.WITHIN: "{value} ({low} to {high})",
    Phrase.CHANGED: "{label} {was} -> {value}",
    Phrase.CHANGED_WORDS: "{label}: {was} -> {value}",
    Phrase.GAINED: "{label} + {value}",
    Phrase.LOST: "{label} - {value}",
    Phrase.SET: "{label}: {value}",
    Phrase.GONE: "{label}: no longer there",
    Phrase.LATER: "{span} later",
    Phrase.EARLIER: "{span} earlier",
    Phrase.HOUR_ONE: "{count} hour",
    Phrase.HOURS: "{count} hours",
    Phrase.MINUTE_ONE: "{count} minute",
    Phrase.MINUTES: "{count} minutes",
    Phrase.COUNTED: "{label} {value}",
    Phrase.COUNTED_SHORT: "{label} {value}",
    Phrase.WITH_REASON: "{text} ({reason})",
    Phrase.WITH_DETAIL: "{text} {detail}",
    Phrase.REFUSED_CHANGE: "{label} stays as it is: the rules did not allow the change.",
    Phrase.UNMATCHED: "None of the choices fits that. Pick one, or put it another way. No turn was spent.",
    Phrase.NO_SUCH_CHOICE: "That choice is not on the table. Pick one of those that are.",
    Phrase.NO_SUCH_DECISION: "There is no such question to answer here.",
    Phrase.DECISION_FIRST: "There is a question to answer first.",
    Phrase.TOO_LONG: "That is too long to take in at once. Say it in fewer words.",
    Phrase.EMPTY: "Say something, or pick a choice.",
    Phrase.OVER: "The story has ended. You can go back a turn, or begin again.",
    Phrase.NOT_ALLOWED: "That cannot be said here. No turn was spent.",
    Phrase.RISKY: (
        "That may lead beyond what this story is meant for, so no turn was spent yet. Put it another way, "
        "leave it, or go on with it all the same."
    ),
    Phrase.NO_TELLER: (
        "Only a storyteller could go on from here, and none is set up. Go back a turn and take another way."
    ),
    Phrase.MOVED: (
        "Another turn was taken in this campaign meanwhile. Look where the story stands now, "
        "and say it again if you still want to."
    ),
    Phrase.TURN_OPEN: "A game master is telling a turn right now. Wait until it is told, then try again.",
    Phrase.UNTOLD: (
        "The storyteller answered, but not in the form this game needs. Nothing has changed. Try again, or "
        "choose another model."
    ),
    Phrase.DECLINED: (
        "The storyteller refused to tell this. Nothing has changed. Put it another way, or choose another "
        "model."
    ),
    Phrase.UNCHANGED: "Nothing has changed.",
    Phrase.BUDGET: (
        "The budget would not cover another answer of the storyteller, so none was asked for. Nothing has "
        "changed. Take one of the story's own choices where there are some, come back with a cheaper model "
        "(talewright play --model NAME), or raise the budget (talewright cost limit)."
    ),
    Phrase.TIMED_OUT: "The storyteller took too long. Nothing has changed.",
    Phrase.CANCELLED: "Stopped. Nothing has changed; what you said is kept, and you can go on with it.",
    Phrase.READ_ONLY: "This campaign can be read, but not played on: part of its record is damaged.",
    Phrase.UNSAVED: (
        "The turn could not be saved, so it did not happen. Make room on the disk or look whether "
        "it can be written, then try again."
    ),
    Phrase.ERROR: "Something went wrong in the engine. Nothing has changed; the record says what it was.",
    Phrase.NOTHING_TO_RETRY: "There is no turn of yours to take again.",
    Phrase.LEAVING: "Everything up to here is saved.",
    Phrase.ROLLED_BACK: "You are back at the turn before.",
    Phrase.CAUTION_REPHRASE: "Put it another way",
    Phrase.CAUTION_GO_ON: "Go on with it all the same",
    Phrase.CAUTION_WITHDRAW: "Leave it",
    Phrase.REPHRASE: "Say it another way. These were your words; no turn was spent on them.",
    Phrase.WITHDRAWN: "Left unsaid. No turn was spent.",
    Phrase.READING: "Reading",
    Phrase.TELLING: "Telling the story",
    Phrase.JUDGING: "Consulting the rules",
    Phrase.ROLLING: "Rolling dice",
    Phrase.UPDATING: "Updating the world",
    Phrase.CONSULTING: "Consulting the notes",
    Phrase.MENDING: "Putting the answer right",
    Phrase.SAVING: "Saving",
    Phrase.BACKGROUND: "Time passes elsewhere too.",
    Phrase.BACKGROUND_FAILED: (
        "Something that follows a turn went wrong: {what}. The story is safe and goes on; "
        "`talewright doctor` says what it was."
    ),
    Phrase.WORK_PAGES: "the pages in this campaign's folder",
    Phrase.WORK_ERRANDS: "what happens elsewhere",
    Phrase.WORK_SUMMARY: "the summary of what lies behind",
    Phrase.WORK_PANELS: "what is shown beside the story",
    Phrase.RETRY: "Try again",
    Phrase.RETRY_HINT: "the same words once more",
    Phrase.ROLLBACK: "Go back",
    Phrase.ROLLBACK_HINT: "to the turn before the last",
    Phrase.QUIT: "Leave",
    Phrase.QUIT_HINT: "everything so far is saved",
    Phrase.ADOPTED: "The game has a new version, and this campaign goes on with it: {changes}.",
    Phrase.ADOPTING: "The game has a new version. Your next turn takes it up: {changes}.",
    Phrase.ADOPTED_TEXTS: "other wording",
    Phrase.ADOPTED_NEW: "new: {names}",
    Phrase.ADOPTED_GONE: "something was taken out",
    Phrase.ADOPTED_OTHER: "changes behind the scenes",
    Phrase.NOT_ADOPTED: (
        "The game has a new version that does not fit this campaign, "
        "which goes on with the version it began with."
    ),
    Phrase.NOT_ADOPTED_WHY: "{text} Why: {reason}.",
    Phrase.DAMAGED: (
        "Part of this campaign's record is damaged ({place}). It can be read up to the last good turn, "
        "but not played on. `talewright saves recover` tries to bring back the rest."
    ),
    Phrase.NO_SCENE: (
        "No scene is open after turn {turn}, so the story stops here. Go back a turn and take another way; "
        "a storyteller could also go on from here."
    ),
    Phrase.GAME_MISSING: (
        "The folder of this game cannot be found or read. The campaign goes on with its own copy of the game."
    ),
    Phrase.GAME_FAULTY: (
        "The folder of this game has a mistake in {place}. Until it is put right, the campaign goes on with "
        "the game as it was."
    ),
    Phrase.GAME_FAULTY_MORE: (
        "The folder of this game has {count} mistakes, the first in {place}. Until they are put right, the "
        "campaign goes on with the game as it was."
    ),
    Phrase.RECORD_SHORTER: (
        "The newest part of this campaign's record is gone. You can play on from what is left; before you "
        "do, `talewright saves recover {campaign}` may bring it back."
    ),
    Phrase.PAGES_UNWRITTEN: (
        "The pages in this campaign's folder could not be brought up to date. The story itself is saved; "
        "look whether the disk is full or cannot be written."
    ),
    Phrase.PANELS_MISSING: (
        "What the rules of this game ({name}) show beside the story is missing: something in them went "
        "wrong. The story goes on; `talewright doctor` says what it was."
    ),
    Phrase.EDIT_KEPT: (
        "{page} in this campaign's folder was changed by hand. That page is made from the story's record and "
        "was written anew; what you wrote is kept as {kept}."
    ),
    Phrase.EDIT_LEFT: (
        "{page} in this campaign's folder was changed by hand. That page is no longer part of this story; "
        "what you wrote is kept as {kept}."
    ),
    Phrase.EDIT_UNREAD: (
        "{page} in this campaign's folder was changed by hand, but it cannot be read as text, so nothing of "
        "it was taken up. Save it as plain UTF-8 text of a moderate length."
    ),
    Phrase.EDIT_TAKEN: "What you wrote into {page} holds from this turn on.",
    Phrase.EDIT_REFUSED: "What you wrote into {page} was not taken up: {reason}. The file stays as it is.",
    Phrase.HEADING_BACK: "Back to turn {turn}",
    Phrase.HEADING_BEGINNING: "Back to the beginning",
    Phrase.HEADING_BRANCH: "Branch {branch}, from turn {turn}",
    Phrase.HEADING_SWITCH: "Over to branch {branch}, at turn {turn}",
    Phrase.UNFINISHED_OPENING: "(the opening)",
    Phrase.UNFINISHED_GO_ON: "(go on)",
    Phrase.BY_MODEL: "the storyteller",
    Phrase.BY_PLAYER: "you",
    Phrase.BY_EDIT: "you, by hand in {name}",
    Phrase.BY_SCENE: "a choice in a scene",
    Phrase.BY_FINALE: "the finale",
    Phrase.BY_TRIGGER: "a rule of this world",
    Phrase.BY_SYSTEM: "the rules of the game",
    Phrase.BY_ASIDE: "what happened elsewhere",
    Phrase.BY_IMPORT: "an imported save",
    Phrase.BY_ENGINE: "the game itself",
    Phrase.BY_FOUNDING: "how the game begins",
    Phrase.WITH_ROLL: "{cause}, after a roll: {roll}",
    Phrase.DICE_LEFT_OUT: "{kept}; not counted: {dropped}",
    Phrase.DIE_REROLLED: "rerolled to",
    Phrase.DIE_WORTH: "as",
    Phrase.DIE_COUNTS: "counts",
    Phrase.DIE_AGAIN: "then",
    Phrase.POOL_BEST_ONE: "best of {pool}",
    Phrase.POOL_BEST: "best {count} of {pool}",
    Phrase.POOL_WORST_ONE: "worst of {pool}",
    Phrase.POOL_WORST: "worst {count} of {pool}",
    Phrase.POOL_NOT_BEST_ONE: "{pool} without the highest",
    Phrase.POOL_NOT_BEST: "{pool} without the highest {count}",
    Phrase.POOL_NOT_WORST_ONE: "{pool} without the lowest",
    Phrase.POOL_NOT_WORST: "{pool} without the lowest {count}",
    Phrase.POOL_REROLL: "{pool}, rerolling {faces}",
    Phrase.POOL_EXPLODE: "{pool}, rolling on at {faces}",
    Phrase.POOL_SUCCESS: "{pool}, counting {faces}",
    Phrase.POOL_LEAST: "{pool}, each at least {count}",
    Phrase.POOL_MOST: "{pool}, each at most {count}",
    Phrase.FACES_FROM: "{count} or more",
    Phrase.FACES_TO: "{count} or less",
    Phrase.ROLL_CHANCE: "{percent}% chance",
    Phrase.ROLL_DRAWN: "{percent} drawn",
    Phrase.ROLL_NEEDED: "{text}, {needed} or more needed",
    Phrase.ROLL_SUCCESS: "{text}: success",
    Phrase.ROLL_FAILURE: "{text}: failure",
    Phrase.ROLL_BLOCKED: "{text}: not possible",
}
