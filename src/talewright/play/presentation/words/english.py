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
    Phrase.UNMATCHED: "No choice matches that. Pick one, or rephrase it. No turn was spent.",
    Phrase.NO_SUCH_CHOICE: "That choice is not available. Pick one from the list.",
    Phrase.NO_SUCH_DECISION: "There is no such question to answer here.",
    Phrase.DECISION_FIRST: "There is a question to answer first.",
    Phrase.PLAYER_DECIDES: (
        "Only the player can answer this question. It waits for the player, who answers it in a session of "
        "their own or when your client asks them. Then go on."
    ),
    Phrase.RELAYED: "{said} (passed on by the game master)",
    Phrase.TOO_LONG: "That is too long. Say it in fewer words.",
    Phrase.EMPTY: "Say something, or pick a choice.",
    Phrase.OVER: "The story has ended. You can go back a turn, or start over.",
    Phrase.NOT_ALLOWED: "That cannot be said here. No turn was spent.",
    Phrase.RISKY: (
        "That may go beyond what this story is rated for. No turn was spent yet. Rephrase it, drop it, "
        "or continue anyway."
    ),
    Phrase.NO_TELLER: (
        "From here on, the story needs a storyteller, and none is set up. Go back a turn and choose "
        "differently."
    ),
    Phrase.MOVED: (
        "Another turn was played in this campaign in the meantime. See where the story is now, and say "
        "it again if you still want to."
    ),
    Phrase.TURN_OPEN: (
        "A game master is in the middle of a turn. Wait until it is finished, then try again."
    ),
    Phrase.UNTOLD: (
        "The storyteller answered, but not in the form this game needs. Nothing has changed. Try again, or "
        "choose another model."
    ),
    Phrase.DECLINED: (
        "The storyteller refused to write this. Nothing has changed. Rephrase it, or choose another model."
    ),
    Phrase.UNCHANGED: "Nothing has changed.",
    Phrase.BUDGET: (
        "The budget does not cover another reply from the storyteller, so none was requested. Nothing "
        "has changed. Take one of the story's own choices if there are any, use a cheaper model "
        "(talewright play --model NAME), or raise the budget (talewright cost limit)."
    ),
    Phrase.TIMED_OUT: "The storyteller took too long. Nothing has changed.",
    Phrase.SKIPPED: (
        "Only the storyteller can narrate this turn: the game has no written scene for it. Nothing has "
        "changed. What you said is saved: continue with it, or choose something else."
    ),
    Phrase.CANCELLED: "Stopped. Nothing has changed; what you said is saved, and you can continue with it.",
    Phrase.READ_ONLY: "This campaign can be read, but not continued: part of its record is damaged.",
    Phrase.CRASHED: (
        "The server crashed every time it tried this turn, so it has given up. Nothing has changed. Try "
        "other words. If that does not help, tell whoever runs the server."
    ),
    Phrase.UNSAVED: (
        "The turn could not be saved, so it did not happen. Free some disk space or check that the "
        "disk is writable, then try again."
    ),
    Phrase.ERROR: (
        "Something went wrong in the engine. Nothing has changed; the record contains the details."
    ),
    Phrase.NOTHING_TO_RETRY: "There is no turn to retry.",
    Phrase.LEAVING: "Everything up to here is saved.",
    Phrase.ROLLED_BACK: "You are back at the previous turn.",
    Phrase.CAUTION_REPHRASE: "Rephrase it",
    Phrase.CAUTION_GO_ON: "Continue anyway",
    Phrase.CAUTION_WITHDRAW: "Drop it",
    Phrase.REPHRASE: "Rephrase what you said. Here are your words; no turn was spent on them.",
    Phrase.WITHDRAWN: "Dropped. No turn was spent.",
    Phrase.READING: "Reading",
    Phrase.TELLING: "Writing the story",
    Phrase.JUDGING: "Consulting the rules",
    Phrase.ROLLING: "Rolling dice",
    Phrase.UPDATING: "Updating the world",
    Phrase.CONSULTING: "Consulting the notes",
    Phrase.MENDING: "Correcting the reply",
    Phrase.SAVING: "Saving",
    Phrase.WITH_SHARE: "{text} ({percent}% read)",
    Phrase.ASKING_AGAIN: "Asking again: {why}",
    Phrase.AGAIN_FORM: "the reply was not in the right form",
    Phrase.AGAIN_RULES: "the reply broke the rules of the game",
    Phrase.AGAIN_WORDS: "the reply has to be reworded",
    Phrase.AGAIN_CUT: "the reply was too long",
    Phrase.AGAIN_BROKEN: "the reply broke off",
    Phrase.STOOD_IN: "A written scene was used for this turn.",
    Phrase.STOOD_IN_FORM: "The storyteller gave no valid reply.",
    Phrase.STOOD_IN_DECLINED: "The storyteller refused to write it.",
    Phrase.STOOD_IN_SKIPPED: "You did not wait for the storyteller.",
    Phrase.STOOD_IN_BUDGET: "The budget does not cover another reply from the storyteller.",
    Phrase.STOOD_IN_HELP: (
        "Written scenes were used for the last {turns} turns instead of the storyteller. What may help: have "
        "Talewright measure the model (talewright models probe NAME), play a smaller game, or choose another "
        "model (talewright play --model NAME)."
    ),
    Phrase.BACKGROUND: "Time passes elsewhere too.",
    Phrase.BACKGROUND_FAILED: (
        "A task after the turn failed: {what}. The story is safe and continues; `talewright doctor` "
        "shows the error."
    ),
    Phrase.WORK_PAGES: "the pages in this campaign's folder",
    Phrase.WORK_ERRANDS: "what happens elsewhere",
    Phrase.WORK_SUMMARY: "the summary of earlier turns",
    Phrase.WORK_PANELS: "what is shown next to the story",
    Phrase.WORK_AHEAD: "letting the model read ahead",
    Phrase.RETRY: "Retry",
    Phrase.RETRY_HINT: "with the same words",
    Phrase.ROLLBACK: "Undo",
    Phrase.ROLLBACK_HINT: "the turn before this one",
    Phrase.QUIT: "Quit",
    Phrase.QUIT_HINT: "everything so far is saved",
    Phrase.ADOPTED: "The game has a new version, and this campaign now uses it: {changes}.",
    Phrase.ADOPTING: "The game has a new version. Your next turn will use it: {changes}.",
    Phrase.ADOPTED_TEXTS: "changed wording",
    Phrase.ADOPTED_NEW: "new: {names}",
    Phrase.ADOPTED_GONE: "some content was removed",
    Phrase.ADOPTED_OTHER: "changes behind the scenes",
    Phrase.NOT_ADOPTED: (
        "The game has a new version that does not fit this campaign, so the campaign keeps the version "
        "it started with."
    ),
    Phrase.NOT_ADOPTED_WHY: "{text} Reason: {reason}.",
    Phrase.DAMAGED: (
        "Part of this campaign's record is damaged ({place}). It can be read up to the last good turn, "
        "but not continued. `talewright saves recover` tries to recover the rest."
    ),
    Phrase.NO_SCENE: (
        "No scene is open after turn {turn}, so the story stops here. Go back a turn and choose "
        "differently; with a storyteller, it can also continue from here."
    ),
    Phrase.GAME_MISSING: (
        "The folder of this game cannot be found or read. The campaign continues with its own copy of "
        "the game."
    ),
    Phrase.GAME_FAULTY: (
        "The folder of this game has a mistake in {place}. Until it is fixed, the campaign continues "
        "with its own copy of the game."
    ),
    Phrase.GAME_FAULTY_MORE: (
        "The folder of this game has {count} mistakes, the first in {place}. Until they are fixed, the "
        "campaign continues with its own copy of the game."
    ),
    Phrase.CONTEXT_SMALL: (
        "{model} can read only {tokens} tokens at a time, too few for this game. The storyteller will forget "
        "much of the story, and some turns may fail. Choose a model that can read {needed} tokens or more."
    ),
    Phrase.RECORD_SHORTER: (
        "The newest part of this campaign's record is missing. You can continue from what is left, but "
        "first try `talewright saves recover {campaign}`: it may restore the rest."
    ),
    Phrase.PAGES_UNWRITTEN: (
        "The pages in this campaign's folder could not be updated. The story itself is saved; check "
        "whether the disk is full or read-only."
    ),
    Phrase.PANELS_MISSING: (
        "The rules of this game ({name}) failed, so what they show next to the story is missing. The "
        "story continues; `talewright doctor` shows the error."
    ),
    Phrase.EDIT_KEPT: (
        "{page} in this campaign's folder was edited by hand. That page is generated from the story's "
        "record and was rewritten; your version is saved as {kept}."
    ),
    Phrase.EDIT_LEFT: (
        "{page} in this campaign's folder was edited by hand. That page is no longer part of this "
        "story; your version is saved as {kept}."
    ),
    Phrase.EDIT_UNREAD: (
        "{page} in this campaign's folder was edited by hand, but it cannot be read as text, so the "
        "edit was ignored. Save it as plain UTF-8 text of moderate length."
    ),
    Phrase.EDIT_TAKEN: "Your edit of {page} takes effect from this turn on.",
    Phrase.EDIT_REFUSED: "Your edit of {page} was rejected: {reason}. The file is left unchanged.",
    Phrase.HEADING_BACK: "Back to turn {turn}",
    Phrase.HEADING_BEGINNING: "Back to the beginning",
    Phrase.HEADING_BRANCH: "Branch {branch}, from turn {turn}",
    Phrase.HEADING_SWITCH: "Over to branch {branch}, at turn {turn}",
    Phrase.UNFINISHED_OPENING: "(the opening)",
    Phrase.UNFINISHED_GO_ON: "(continue)",
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
    Phrase.POOL_EXPLODE: "{pool}, exploding on {faces}",
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
    Phrase.ROLL_PARTIAL: "{text}: partial success",
    Phrase.ROLL_CRITICAL_SUCCESS: "{text}: critical success",
    Phrase.ROLL_CRITICAL_FAILURE: "{text}: critical failure",
    Phrase.CHANCE_SUCCESS: "{percent}% chance of success",
    Phrase.CHANCE_PARTIAL: "{percent}% chance of success, {partial}% of partial success",
    Phrase.CHANCE_TOTAL: "{percent}% chance of {total} or more",
}
