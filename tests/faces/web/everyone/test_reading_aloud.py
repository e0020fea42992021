"""Reading aloud in a real browser, with voices of a stub: what is said, in which voice, and what never is."""

from typing import Any

from tests.faces.web.chromium import needs_chromium
from tests.faces.web.everyone.screens import be_waiting, hold_of
from tests.faces.web.everyone.shared_browser import SharedBrowser, check_quiet, path_of, wait_for_turn

pytestmark = needs_chromium

VOICES = """
[
    { name: "Far", lang: "en-US", localService: false },
    { name: "Anna", lang: "en_GB", localService: true },
    { name: "Hui", lang: "zh-HK", localService: true },
    { name: "Ting", lang: "zh_CN", localService: true },
]
"""

STUB = """
window.spoken = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
const stub = {
    voices: %s,
    getVoices: () => stub.voices,
    speak(one) { stub.now = one; spoken.push([one.voice.name, one.text]); },
    cancel() { stub.now = null; },
    addEventListener(name, heard) { stub.heard = heard; },
};
Object.defineProperty(window, "speechSynthesis", { value: stub });
window.finish = () => stub.now.onend();
"""


def open_stubbed(shared: SharedBrowser, voices: str = VOICES) -> Any:
    context = shared.context()
    context.add_init_script(STUB % voices)
    return context.new_page()


def spoken(page: Any) -> list[list[str]]:
    return list(page.evaluate("() => spoken"))


def test_the_newest_turn_is_read_in_a_voice_of_its_language(scenes: SharedBrowser) -> None:
    page = open_stubbed(scenes)
    scenes.start(page, "mist_harbor", "zh-CN")
    page.locator(".choices button").first.click()
    wait_for_turn(page, 2)
    told = page.locator("#turns .turn").last.locator(".narration p").all_text_contents()
    page.get_by_role("button", name="朗读", exact=True).press("Enter")
    assert spoken(page) == [["Ting", told[0]]]
    marked = page.locator(".spoken")
    assert marked.text_content() == told[0]
    # Focus goes to the button that takes its place.
    assert page.evaluate("() => document.activeElement.textContent") == "暂停"
    page.evaluate("() => finish()")
    assert spoken(page)[1:] == [["Ting", told[1]]]
    assert marked.text_content() == told[1]
    page.get_by_role("button", name="暂停").click()
    assert page.evaluate("() => speechSynthesis.now") is None
    page.get_by_role("button", name="继续朗读").click()
    assert spoken(page)[2:] == [["Ting", told[1]]]
    for _ in told[1:]:
        page.evaluate("() => finish()")
    assert [text for _, text in spoken(page)[3:]] == told[2:]
    assert marked.count() == 0
    page.get_by_role("button", name="朗读", exact=True).click()
    page.get_by_role("button", name="停止朗读").click()
    assert marked.count() == 0
    check_quiet(page)
    page.context.close()


def test_only_finished_narration_is_read(held: SharedBrowser) -> None:
    page = open_stubbed(held)
    try:
        be_waiting(held, page)
        opening = page.locator("#turns .turn .narration p").all_text_contents()
        page.get_by_role("button", name="Read aloud").click()
        for _ in opening:
            page.evaluate("() => finish()")
        assert spoken(page) == [["Anna", text] for text in opening]
        assert page.locator(".spoken").count() == 0
    finally:
        hold_of(held).unlink(missing_ok=True)
    wait_for_turn(page, 2)
    page.goto(held.address(f"{path_of(page)}/reading"))
    page.get_by_role("button", name="Read aloud").click()
    assert spoken(page) == [["Anna", opening[0]]]
    page.context.close()


def test_without_a_voice_there_is_no_button(scenes: SharedBrowser) -> None:
    # A voice of a service would send the story away; one of another language would not be understood.
    page = open_stubbed(scenes, '[{ name: "Far", lang: "en-US", localService: false }]')
    scenes.start(page, "lantern_road")
    assert page.locator("#speech").is_hidden()
    page.evaluate("() => { speechSynthesis.voices = [{ name: 'Anna', lang: 'en-US', localService: true }]; }")
    page.evaluate("() => speechSynthesis.heard()")
    page.locator("#speech").wait_for()
    page.context.close()
