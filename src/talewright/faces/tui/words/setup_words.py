"""Words of choosing and setting up a model, in English and Chinese.

Words only; parts in braces are filled in where they are said. No key ever stands in one.
"""

from dataclasses import dataclass

from talewright.common.language_tags import pick_words
from talewright.faces.tui.words.shared_words import CHINESE_CODE, ENGLISH_CODE


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupWords:
    """What the screens of setup say."""

    models_title: str
    models_usual: str
    scenes_title: str
    scenes_text: str
    no_models: str
    chosen: str
    all_the_same: str
    """Asks to confirm a model that cannot tell now."""

    back: str
    next: str
    looking: str
    join: str

    title: str
    step: str
    where: str
    where_text: str
    where_looking: str
    where_none: str
    where_found: str
    local: str
    local_empty: str
    service: str
    service_ready: str
    address: str
    """The last of the places: any other server."""

    address_label: str
    address_hint: str
    address_asking: str
    key: str
    key_text: str
    key_hint: str
    key_wanted: str
    key_optional: str
    """Of a server that may do without."""

    model: str
    model_text: str
    model_typed: str
    model_hint: str
    model_wanted: str
    testing: str
    testing_text: str
    test_good: str
    test_bad: str
    test_said: str
    test_silent: str
    test_seconds: str
    test_next: str
    keep: str
    again: str
    other_key: str
    other_model: str
    other_place: str
    keeping: str
    kept: str
    kept_bad: str
    kept_next: str
    done: str

    first_title: str
    first_text: str
    first_play: str
    first_play_text: str
    first_no_games: str
    first_model: str
    first_model_text: str
    first_model_do: str
    first_beginning: str
    wrong: str
    wrong_hint: str


ENGLISH = SetupWords(
    models_title="Who tells {campaign}?",
    models_usual="Who tells your games?",
    scenes_title="The scenes alone",
    scenes_text="As the author wrote it. No model, no cost.",
    no_models="No model is set up yet. Press s to set one up.",
    chosen="tells now",
    all_the_same="It cannot tell now: {trouble}. Press Enter again to choose it all the same.",
    back="Back",
    next="Next",
    looking="Looking ...",
    join=" · ",
    title="Set up a model",
    step="Step {step} of 4",
    where="Where does it run?",
    where_text="On this machine it is free and private. A service wants a key of yours, and is paid.",
    where_looking="Looking on this machine ...",
    where_none="Nothing answers on this machine. Start Ollama, LM Studio or another server and press r, "
    "or take a service.",
    where_found="Found on this machine: {count}.",
    local="on this machine, free",
    local_empty="on this machine, but it has no model yet",
    service="with a key of your own",
    service_ready="its key is here already",
    address="Another server, by its address",
    address_label="Any server that speaks OpenAI's protocol",
    address_hint="such as 127.0.0.1:8080/v1",
    address_asking="Asking it for its models ...",
    key="Your key for {title}",
    key_text="It is not shown. It goes into the keyring of your system, never into a file.",
    key_hint="paste or type it here",
    key_wanted="Without a key {title} does not answer.",
    key_optional="Leave it empty if the server wants none.",
    model="Which model?",
    model_text="Take one of these, or type another name.",
    model_typed="Another name",
    model_hint="as {title} spells it",
    model_wanted="Pick a model, or type its name.",
    testing="One real question",
    testing_text="Asking {model} one short question ...",
    test_good="✓ It answers.",
    test_bad="✗ It did not work.",
    test_said="“{text}”",
    test_silent="It said nothing, but in good form.",
    test_seconds="{seconds} s",
    test_next="Nothing was kept. What now?",
    keep="Use this model",
    again="Try again",
    other_key="Another key",
    other_model="Another model",
    other_place="Another place",
    keeping="Keeping it ...",
    kept="It is kept",
    kept_bad="✗ It could not be kept.",
    kept_next="New campaigns are told by it. Press m on a campaign to change who tells that one.",
    done="Done",
    first_title="Welcome to Talewright",
    first_text="Stories with rules: what happens is decided by dice and state, not by whim.",
    first_play="Play now, no model needed",
    first_play_text="The author wrote every scene. Pick one and press Enter.",
    first_no_games="No such game was found here.",
    first_model="Let a model tell",
    first_model_text="Say anything you like, in your own words. With a model on this machine, or with a key; "
    "about two minutes.",
    first_model_do="Set up a model",
    first_beginning="Beginning {title} ...",
    wrong="Something went wrong: {error}",
    wrong_hint="Nothing was kept. Try again.",
)

CHINESE = SetupWords(
    models_title="{campaign} 由谁讲述？",
    models_usual="平时由谁讲述？",
    scenes_title="只按剧本",
    scenes_text="照作者写的讲。不用模型，不花钱。",
    no_models="还没有设置模型。按 s 设置一个。",
    chosen="正由它讲述",
    all_the_same="它现在讲不了：{trouble}。再按一次回车，就还是选它。",
    back="返回",
    next="下一步",
    looking="正在查看……",
    join=" · ",
    title="设置模型",
    step="第 {step} 步，共 4 步",
    where="模型在哪里运行？",
    where_text="在本机运行，免费，也不外传。在线服务要用你自己的密钥，要付费。",
    where_looking="正在本机上找……",
    where_none="本机上没有找到。可以启动 Ollama、LM Studio 等再按 r，或者选一个在线服务。",
    where_found="本机上找到：{count} 个。",
    local="在本机，免费",
    local_empty="在本机，但里面还没有模型",
    service="用你自己的密钥",
    service_ready="密钥已经有了",
    address="别的服务器，按地址",
    address_label="任何兼容 OpenAI 接口的服务器",
    address_hint="比如 127.0.0.1:8080/v1",
    address_asking="正在问它有哪些模型……",
    key="{title} 的密钥",
    key_text="不会显示出来。它存进系统的钥匙串，绝不写进文件。",
    key_hint="在这里粘贴或输入",
    key_wanted="没有密钥，{title} 不会回答。",
    key_optional="服务器不要密钥的话，就留空。",
    model="用哪个模型？",
    model_text="选一个，或者输入别的名字。",
    model_typed="别的名字",
    model_hint="照 {title} 的写法",
    model_wanted="请选一个模型，或者输入它的名字。",
    testing="真的问一句",
    testing_text="正在问 {model} 一句话……",
    test_good="✓ 它回答了。",
    test_bad="✗ 没有成功。",
    test_said="“{text}”",
    test_silent="它没说什么，但格式正确。",
    test_seconds="{seconds} 秒",
    test_next="什么都没有保存。接下来？",
    keep="就用这个模型",
    again="再试一次",
    other_key="换密钥",
    other_model="换模型",
    other_place="换地方",
    keeping="正在保存……",
    kept="已经保存",
    kept_bad="✗ 没能保存。",
    kept_next="新开的故事由它讲述。在存档上按 m，可以换人来讲。",
    done="完成",
    first_title="欢迎来到 Talewright",
    first_text="有规则的故事：成败由骰子和局面决定，不凭一时兴起。",
    first_play="现在就玩，不需要模型",
    first_play_text="每一幕都由作者写好。选一个，按回车。",
    first_no_games="这里没有找到这样的游戏。",
    first_model="让模型来讲",
    first_model_text="想说什么就说什么。可以用本机上的模型，也可以用密钥；大约两分钟。",
    first_model_do="设置模型",
    first_beginning="正在开始《{title}》……",
    wrong="出了差错：{error}",
    wrong_hint="什么都没有保存。请再试一次。",
)


def setup_words(language: str) -> SetupWords:
    """The words of setup nearest to a language."""
    return pick_words(language, {ENGLISH_CODE: ENGLISH, CHINESE_CODE: CHINESE})
