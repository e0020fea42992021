"""Claims of the page about the dice, `docs/play/dice.md`, and the tests that prove them; see claims.py."""
# The id of a test stays on one line, so that it can be found and run.

from tests.claims_of_play import Proofs

DICE: Proofs = {
    "The SHA-256 of the secret, the **commitment**, is written into the first line of the record": (
        "tests/turn/test_new_campaign.py::test_the_first_commit",
        "tests/kernel/test_chance.py::test_commitment_is_the_hash_of_the_secret",
    ),
    "Compute HMAC-SHA-256 with the secret as the key": (
        "tests/kernel/test_chance.py::test_draw_is_the_hmac_of_version_and_index",
    ),
    "makes all sides equally likely": (
        "tests/kernel/test_chance.py::test_unfit_words_are_passed_over",
        "tests/kernel/test_chance.py::test_faces_are_spread_evenly",
    ),
    "Asking a model again cannot change the dice": (
        "tests/turn/steps/test_judging.py::test_while_one_move_must_be_mended_nothing_happens_and_no_draw_is_kept",
        "tests/turn/test_turn_progress.py::test_a_judgement_that_is_thrown_away_gives_its_draws_back",
    ),
    "the corrected answer gets the same dice": (
        "tests/turn/steps/test_judging.py::test_while_one_move_must_be_mended_nothing_happens_and_no_draw_is_kept",
    ),
    "after `/undo`, the same roll gives the same result": (
        "tests/turn/test_pipeline_repeats.py::test_with_fixed_fate_the_dice_stay_the_same",
    ),
    "In its turns, what a draw is for decides the result, and not when it is drawn": (
        "tests/turn/game_master/test_seen_draws.py::test_another_check_first_neither_takes_the_dice_nor_knows_them",
    ),
    "neither does another spelling: the rules decide who and what is meant": (
        "tests/turn/game_master/test_seen_draws.py::test_an_attack_is_the_same_whatever_the_attacker_is_called",
        "tests/turn/game_master/test_seen_draws.py::test_a_check_is_the_same_whoever_is_spelled_how",
    ),
    "The wording, the target and the difficulty do not make it another check": (
        "tests/turn/game_master/test_seen_draws.py::test_other_words_are_the_same_check",
        "tests/turn/game_master/test_seen_draws.py::test_other_terms_are_refused_and_show_nothing",
    ),
    "the next turn that makes the same check gets the same draws, until a committed turn has used them": (
        "tests/turn/game_master/test_seen_draws.py::test_an_abandoned_check_gets_the_same_dice_again",
        "tests/turn/game_master/test_seen_draws.py::test_used_dice_are_not_given_again",
    ),
    "It does not matter how the turn was abandoned, how much later the check is made, or on which branch": (
        "tests/turn/game_master/test_seen_draws.py::test_a_turn_that_is_left_open_counts_as_seen",
        "tests/turn/game_master/test_seen_draws.py::test_a_turn_without_the_check_does_not_use_them_up",
        "tests/turn/game_master/test_seen_draws_branches.py::test_another_branch_has_the_same_dice",
    ),
    "If a turn is undone that used draws seen in an abandoned turn, these draws count again": (
        "tests/turn/game_master/test_seen_draws_branches.py::test_undoing_turns_leaves_nothing_behind",
    ),
    "A roll that was first made in the undone turn is not on the list": (
        "tests/turn/game_master/test_seen_draws_branches.py::test_a_roll_that_was_first_made_in_an_undone_turn",
    ),
    "Rolls of one check are used in the order in which they were seen": (
        "tests/turn/game_master/test_seen_draws.py::test_nobody_chooses_among_several_dice_for_one_check",
        "tests/turn/game_master/test_seen_draws.py::test_dice_with_other_sides_wait_for_those_that_were_seen",
        "tests/turn/game_master/test_generated_looks.py::test_committed_dice_are_always_the_oldest_that_were_seen",
    ),
    "the game master can make the check only on the terms of that roll": (
        "tests/turn/game_master/test_seen_draws.py::test_other_terms_are_refused_and_show_nothing",
        "tests/turn/game_master/test_seen_draws.py::test_a_roll_counts_as_it_was_seen",
        "tests/turn/game_master/test_seen_draws.py::test_an_attack_is_the_same_whatever_the_attacker_is_called",
    ),
    "Any other check has its own draws": (
        "tests/turn/game_master/test_seen_draws.py::test_actions_of_a_fight_are_checks_of_their_own",
    ),
    "the refusal says nothing about the result": (
        "tests/turn/game_master/test_master_turn_hand_ins.py::test_a_call_that_must_be_read_is_not_even_judged_along_with_a_narration",
        "tests/turn/game_master/test_master_turn_hand_ins.py::test_a_refused_narration_says_nothing_of_the_dice_of_its_calls",
    ),
    "The record contains every abandoned turn in which a roll was seen, with its calls and their results": (
        "tests/turn/game_master/test_seen_draws.py::test_the_record_shows_every_look_and_what_it_was_for",
    ),
    "`verify` finds a turn that does not know of all the recorded ones": (
        "tests/play/verify/test_seen_draws_check.py::test_a_turn_must_know_all_that_was_seen",
    ),
    "a recorded roll whose name the engine would not have given it: for another turn or check, with a gap"
    " in the count, or, with fixed dice, with a nonce": (
        "tests/play/verify/test_seen_draws_check.py::test_an_abandoned_turn_has_its_own_dice",
        "tests/play/verify/test_seen_draws_check.py::test_seen_dice_are_named_by_what_they_were_for",
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
    ),
    "so `verify` does not call such a turn with draws proven": (
        "tests/play/verify/test_forgeries.py::test_dice_that_an_older_engine_number_exchanges_are_not_proven_by_the_command",
    ),
    "Talewright generates a random number, the **nonce**, for every attempt at a turn": (
        "tests/turn/test_pipeline_repeats.py::test_with_fresh_fate_the_dice_follow_from_a_nonce_that_is_written_down",
    ),
    "In any other game, `verify` reports a nonce as a forgery, also in the name of a draw": (
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
    ),
    "The secret never appears in exports, logs, prompts or the git history": (
        "tests/cli/test_canary.py::test_the_secret_of_the_dice_is_in_its_own_file_alone",
        "tests/stores/folder/pages/test_git_history.py::test_pages_and_history_of_some_turns",
    ),
    "An imported campaign gets a new secret for its future turns": (
        "tests/play/export/test_whole_save.py::test_new_dice_begin_under_a_new_commitment",
    ),
    "`verify` plays every turn again": ("tests/plays/test_verified_plays.py::test_it_is_proven",),
    "It uses only the external inputs": ("tests/plays/test_verified_plays.py::test_it_is_proven",),
    "Everything else must follow from these and is compared with the record": (
        "tests/play/verify/test_turn_proof.py::test_what_is_compared",
        "tests/play/verify/test_turn_proof.py::test_the_state_is_compared",
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
    ),
    "The first record must be exactly what a new campaign of its game starts with": (
        "tests/play/verify/test_turn_proof.py::test_the_first_commit_is_compared_as_a_whole",
    ),
    "**proven**: played again, it gives the recorded result, and its draws follow from the secret": (
        "tests/cli/campaign/test_verify_command.py::test_every_turn_is_named_with_its_verdict",
        "tests/play/verify/test_honest_campaigns.py::test_no_false_alarm_on_generated_campaigns",
    ),
    "**folded**: nothing is wrong with the turn, but it is not proven": (
        "tests/cli/campaign/test_verify_command.py::test_without_the_secret_turns_with_dice_are_not_proven",
        "tests/kept_campaigns/test_kept_campaigns.py::test_the_commands_say_so_too",
    ),
    "`verify` names the turn, and the exit code is 3": (
        "tests/kept_campaigns/test_kept_campaigns.py::test_the_commands_say_so_too",
    ),
    "the record says that the turn was imported and its dice follow from another secret": (
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
        "tests/play/export/test_whole_save.py::test_a_session_goes_on_from_it_and_walks_back",
    ),
    "Only its wording is different": ("tests/play/verify/test_forgeries.py::test_forgery_is_found",),
    "The campaign started from a plain save, so its first state is not that of the game": (
        "tests/cli/campaign/test_verify_command.py::test_of_a_past_before_a_plain_save_nothing_is_proven_and_it_says_so",
    ),
    "`verify` also says what is not covered; in the JSON this is the list `unproven`": (
        "tests/cli/campaign/test_verify_command.py::test_what_only_a_receipt_could_cover_is_named",
    ),
    "**wrong**: the record contradicts itself, or this version of the engine made the turn and"
    " playing it again gives something else": (
        "tests/play/verify/test_forgeries.py::test_what_was_believed_once_is_refused_by_the_command",
    ),
    "Exit code 0 means that every turn is proven": (
        "tests/cli/campaign/test_verify_command.py::test_campaign_is_proven_and_keeps_its_secret",
        "tests/kept_campaigns/test_kept_campaigns.py::test_the_commands_say_so_too",
    ),
    "`verify` uses it but does not show it": (
        "tests/cli/campaign/test_verify_command.py::test_campaign_is_proven_and_keeps_its_secret",
        "tests/cli/campaign/test_verify_command.py::test_revealed_secret_derives_every_roll",
    ),
    "turns without draws can be proven, and turns with draws are *folded*": (
        "tests/cli/campaign/test_verify_command.py::test_without_the_secret_all_but_the_draws_is_proven_and_it_says_so",
        "tests/cli/campaign/test_verify_command.py::test_without_the_secret_turns_with_dice_are_not_proven",
    ),
    "a turn with draws is proven only if they follow from the secret that you gave": (
        "tests/cli/campaign/test_verify_command.py::test_forged_dice_are_not_called_proven",
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
    ),
    "So `verify` proves that the record agrees with itself, with its game and with its dice": (
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
    ),
    "It cannot prove that there was never another record": (
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
        "tests/cli/campaign/test_receipt_command.py::test_without_a_receipt_it_says_what_is_not_shown",
    ),
    "to show that nothing recorded before it has changed": (
        "tests/play/verify/test_receipts.py::test_verify_checks_it",
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
    ),
    "reveals only how long the record is": (
        "tests/play/verify/test_receipts.py::test_a_receipt_is_an_hmac_over_the_head_hash_and_the_length",
    ),
    "a new campaign shows its first receipt when you leave it": (
        "tests/cli/test_play_command.py::test_a_new_campaign_shows_its_first_receipt",
    ),
    "none of the first LENGTH lines was altered, added, lost or reordered": (
        "tests/play/verify/test_receipts.py::test_what_a_receipt_shows_to_be_wrong",
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
    ),
    "A receipt says nothing about what came after it": (
        "tests/play/verify/test_receipts.py::test_it_holds_while_the_campaign_goes_on",
    ),
    "| the folder, without the secret |": (
        "tests/cli/campaign/test_verify_command.py::test_without_the_secret_all_but_the_draws_is_proven_and_it_says_so",
    ),
    "every draw of a proven turn follows from that secret": (
        "tests/cli/campaign/test_verify_command.py::test_revealed_secret_derives_every_roll",
    ),
    "nothing before the receipt has changed since you got it": (
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
    ),
    "the dice were not chosen after the story": (
        "tests/play/verify/test_receipts.py::test_what_a_receipt_shows_to_be_wrong",
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
    ),
    "Our tests write each of these forgeries into an honest campaign and recompute every hash": (
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
        "tests/play/verify/test_forgeries.py::test_whoever_rewrites_a_campaign_as_it_is_changes_nothing",
        "tests/play/verify/test_dice_page.py::test_the_page_lists_who_detects_which_forgery",
    ),
    "or the game it was played with | `verify` |": (
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
        "tests/play/verify/test_dice_page.py::test_the_page_lists_who_detects_which_forgery",
    ),
    "a die, so that it does not follow from the secret, and everything that follows from the die"
    " | `verify` with the secret |": (
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
        "tests/play/verify/test_dice_page.py::test_the_page_lists_who_detects_which_forgery",
    ),
    "the name of a roll that a game master saw, to choose its dice | `verify` |": (
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
        "tests/play/verify/test_forgeries.py::test_what_was_believed_once_is_refused_by_the_command",
    ),
    "a turn, and an engine number that would give another one | `verify`, as not proven (exit code 3) |": (
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
        "tests/play/verify/test_dice_page.py::test_the_page_lists_who_detects_which_forgery",
    ),
    "the dice of a game master, by claiming an older engine number for every turn"
    " | `verify`, as not proven (exit code 3) |": (
        "tests/play/verify/test_forgeries.py::test_dice_that_an_older_engine_number_exchanges_are_not_proven_by_the_command",
        "tests/play/verify/test_dice_page.py::test_the_page_lists_who_detects_which_forgery",
    ),
    "an engine number that would give the same turn | an earlier receipt only |": (
        "tests/play/verify/test_generated_forgeries.py::test_the_page_lists_what_is_not_covered",
    ),
    "a claim that it was imported or follows from another secret | `verify`, as not proven (exit code 3) |": (
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
        "tests/play/verify/test_dice_page.py::test_the_page_lists_who_detects_which_forgery",
    ),
    "the words of an event, a roll or a reason | `verify`, as not proven (exit code 3) |": (
        "tests/play/verify/test_generated_forgeries.py::test_every_forgery_is_detected_or_listed",
    ),
    "the time of a turn, the cost of a failed attempt, or a mark | an earlier receipt only |": (
        "tests/play/verify/test_generated_forgeries.py::test_the_page_lists_what_is_not_covered",
    ),
    "detects each of them (exit code 1 or 3), or the forged place is in this table": (
        "tests/play/verify/test_generated_forgeries.py::test_every_forgery_is_detected_or_listed",
        "tests/play/verify/test_generated_forgeries.py::test_the_page_lists_what_is_not_covered",
    ),
    "the end of the campaign, by removing the last turns | an earlier receipt only |": (
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
        "tests/play/verify/test_dice_page.py::test_the_page_lists_who_detects_which_forgery",
    ),
    "A friend can check a receipt only after you have revealed the secret": (
        "tests/play/verify/test_receipts.py::test_without_the_secret_it_cannot_be_checked",
    ),
    "The first receipt only proves that the dice have not changed since your friend received it": (
        "tests/play/verify/test_receipts.py::test_what_a_receipt_shows_to_be_wrong",
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
    ),
    "A save contains no secret, so someone who imports one cannot check old receipts": (
        "tests/play/export/test_save_game.py::test_save_is_the_owners_but_holds_no_secret_of_chance",
        "tests/play/export/test_whole_save.py::test_everything_but_the_secret_is_in_the_file",
        "tests/play/verify/test_receipts.py::test_without_the_secret_it_cannot_be_checked",
    ),
    "its turns can be proven, but those with draws only with the old secret": (
        "tests/play/export/test_whole_save.py::test_an_imported_past_can_be_read_walked_and_verified",
        "tests/kept_campaigns/test_whole_saves.py::test_verify_says_which_dice_it_could_not_derive",
    ),
    "`verify` says that the campaign began with a save game": (
        "tests/cli/campaign/test_verify_command.py::test_of_a_past_before_a_plain_save_nothing_is_proven_and_it_says_so",
    ),
    "Every attempt that became a turn is in the record, and an earlier receipt shows if one was removed": (
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
    ),
    "`verify` tells you if the newest is not the game you have installed": (
        "tests/cli/campaign/test_verify_command.py::test_a_game_that_is_not_installed_is_named",
    ),
    "checks the chain, the receipt and every draw without using Talewright": (
        "tests/play/verify/test_dice_page.py::test_the_program_accepts_an_honest_campaign",
        "tests/play/verify/test_dice_page.py::test_the_program_detects_what_it_claims_to",
    ),
}
