"""The world's phrases in English."""

from talewright.systems.world.words.phrases import WorldPhrases

ENGLISH = WorldPhrases(
    told="{fact} (heard from {by})",
    inferred="{fact} (their own conclusion)",
    witnessed="{fact}",
    somebody="somebody",
    character="{name}: {about}",
    knows="Knows: {facts}.",
    keeps="{name} also knows, and would not tell the player: {facts}.",
    goals="{name} wants: {goals}.",
    between="; ",
    comma=", ",
    voice="You speak for {name} alone. {name} knows only what is written here.",
    which_place=(
        'The player goes to a place that is called "{said}". These places are known:\n{places}\n'
        "Decide whether one of them is meant; other words for the same place count. Give its id as "
        "matchedClusterId, or null if it is a new place; as canonicalName a short proper name for it; as "
        "confidence how sure you are, from 0 to 1."
    ),
    simulate=(
        "You are simulating a conversation between {names} at {place}. Nobody else takes part. Each of them "
        "knows only what is listed for them:"
    ),
    sum_up=(
        "Summarise what likely happened between {names} at {place} in {minutes} minutes. Nobody else took "
        "part. Each of them knows only what is listed for them:"
    ),
    scene_scenario="Scenario: {about}",
    scene_place="Place: {place}. {about}",
    scene_time="Time: {time}",
    scene_feeling="{name} {felt}",
    scene_feelings="Feelings from -100 to 100: {felt}.",
    scene_thread="Unresolved: {name} wants to {goal}.",
    report=(
        'Give about {exchanges} exchanges as dialogue, each line as CHARACTER_NAME: "dialogue", with brief '
        "actions in *asterisks*. Then report what came of it in reportSimulation. events: agreements, news "
        "and conflicts that will matter, one sentence each that says who did what, and who witnessed it; "
        "name nobody else. movements: only if somebody explicitly decides to leave; to one of: {places}. "
        "told: facts listed above that one told another, by the id in brackets. relationships: how much "
        "feelings changed, from -{step} to {step}. Any list may be empty."
    ),
    sum_up_form=(
        "Write one or two sentences that say who did what. Name nobody else. Be specific and concise, and "
        "invent nothing drastic."
    ),
    sum_up_alone=(
        "{names} was alone here for {minutes} minutes. Say in one or two sentences what {names} did, in the "
        "third person, and name nobody else. Be specific and concise, and invent nothing drastic."
    ),
    here="The player is at {place}. {about}",
    exits="Ways lead to: {places}.",
    time="It is {time} (tick {tick}).",
    alone="Nobody else is here.",
    hidden=(
        "Here, but not yet discovered: {names}. When the player looks around or they show themselves, call "
        "discoverCharacter before you name them."
    ),
    events="Lately: {events}",
    player_knows="The player's character has learned: {facts}.",
    rules=(
        "Everybody knows only what is listed for them. Call moveToLocation when the player goes somewhere "
        "else, advanceTime when time passes, discoverCharacter when somebody new appears, and noteFact when "
        "somebody learns something that will matter."
    ),
    also_known="Also known: {places}.",
    places_heading="### Places",
    place_line="- {name}: {about}",
    guide="""\
## People and places

- Play everyone who is here, each with a voice of their own. They know only what is listed for them: what \
they have witnessed or been told. They may suggest something; they never force the player.
- When the player comes to a new place, describe it: what is seen, heard and smelt there.
- Two to four paragraphs a turn, vivid and concise, unless the style of this story says otherwise.
- The player leads. Stay the narrator, and explain no rules.

Call moveToLocation when the player goes somewhere else, advanceTime when time passes (a long talk, waiting, \
sleep), discoverCharacter when somebody new appears, and noteFact when somebody learns something that will \
matter.

### Discovering people

- Only those listed as present are here. Before anybody else is named, speaks or acts, call \
discoverCharacter.
- That goes for the people listed as not yet discovered, and for everybody you make up.
- Somebody not yet discovered is found when the player looks around or asks, or when they show themselves. \
Until then, leave their name out.
- One call for each of them, and only then the text in which they appear.

For example:

- "I walk over to the market." Call moveToLocation with the market, read who is there, then tell the arrival.
- "I search the cellar", and somebody there is not yet discovered: call discoverCharacter with their name, \
then tell how the player finds them.
- "I ask a fisherman about the tide", and no fisherman is listed: call discoverCharacter with a name for \
him, who he is and what he wants, then let him answer.""",
    days=(
        "the dead of night",
        "the small hours",
        "early morning",
        "morning",
        "midday",
        "afternoon",
        "evening",
        "late evening",
    ),
    clock="{part}, about {hour}:{minute:02}",
    map="Known places",
    people="Here",
    known_facts="What you know",
    last_seen="Last seen",
    last_seen_line="{name}: {place}, {ago}",
    ago_hours=("just now", "an hour ago", "{count} hours ago"),
    ago_days=("a day ago", "{count} days ago"),
    elsewhere="The world",
    go="Go to {place}",
    go_hint="{minutes} minutes",
    talk="Talk to {name}",
    ask="Ask {name} about {topic}",
    wait="Wait an hour",
    wait_long="Wait for six hours",
    wait_hint="It is {time}.",
    arrive=("You go to {place}.", "You make your way to {place}.", "The way leads you to {place}."),
    wait_told=(
        "You take your time. It is {time} now.",
        "Nothing hurries you. By and by it is {time}.",
        "You sit and watch the place until {time}.",
        "Time passes. It is {time}.",
    ),
    see="You see {names}.",
    see_nobody=("Nobody is here.", "You are alone.", "There is nobody but you."),
    says=('{name} says: "{fact}."', '"{fact}," says {name}.', '{name} tells you: "{fact}."'),
    says_heard=(
        '"I have it from {by}," says {name}: "{fact}."',
        '{name} speaks more quietly. "{by} told me: {fact}."',
        '"{fact}," says {name}. "That is what {by} says, anyway."',
    ),
    nothing_new=(
        "{name} has nothing new to tell you. It is {time}.",
        "You talk about the weather with {name} until {time}.",
        "{name} shrugs: nothing you have not heard. Meanwhile it is {time}.",
        "{name} only nods. It is {time}.",
    ),
    new_face="You notice {names}.",
    happened="Before your eyes: {event}",
)
