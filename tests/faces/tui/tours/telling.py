"""Telling: what the scripted storyteller says on the tours, in both languages."""

from talewright.providers.scripted import ScriptedReply
from tests.faces.tui.scenery import tell_cards
from tests.faces.tui.tours.album import Album

ENGLISH = """Lian folds the sheet once more than it needs. *"You didn't get it from me."*

The bar has gone quiet in the way bars do when somebody is **listening**. In the mirror behind the bottles:

- a grey raincoat, dry in the rain
- two hands that are not drinking
- the door, which has not closed since you came in

> The lamp on the breakwater turns. It has no business turning tonight."""

CHINESE = """黎安把那张纸又多折了一道。*“不是我给你的。”*

酒馆里静了下来，是有人**在听**的那种静。酒瓶后头的镜子里：

- 一件灰雨衣，下着雨，却是干的
- 两只没在喝酒的手
- 那扇门，从你进来就没关上过

> 防波堤上的灯转了一圈。今晚它本不该转。"""


def tell_story(album: Album) -> ScriptedReply:
    """An answer with Markdown in it, three choices and changes of several kinds."""
    choices = (
        [
            ("Look into the mirror, not at the door", "He may not know that you know.", "low"),
            ("Walk over and ask for a light", "Bold. So is he.", "medium"),
            ("Out through the kitchen, now", "Two stairs and a dog.", "high"),
        ]
        if not album.is_chinese
        else [
            ("看镜子，别看门", "他也许不知道你看见了。", "low"),
            ("走过去借个火", "胆子大。他也一样。", "medium"),
            ("马上从厨房走", "两道楼梯，一条狗。", "high"),
        ]
    )
    return tell_cards(
        album.pick(ENGLISH, CHINESE),
        choices,
        album.pick("You have seen the raincoat.", "你看见了那件雨衣。"),
        {"op": "inc", "path": "suspicion", "value": 6, "reason": album.pick("watched", "有人盯着")},
        {"op": "inc", "path": "clues", "value": 1, "reason": album.pick("the sheet", "那张纸")},
        {"op": "dec", "path": "gold", "value": 2, "reason": album.pick("a drink", "一杯酒")},
    )
