"""Words of choosing and setting up a model, in English and Chinese.

Words only; placeholders in braces are filled in by the screens. API keys never appear in them.
"""

from dataclasses import dataclass

from talewright.common.language_tags import pick_words
from talewright.faces.tui.words.shared_words import CHINESE_CODE, ENGLISH_CODE


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupWords:
    """Words of the setup screens."""

    models_title: str
    models_usual: str
    scenes_title: str
    scenes_text: str
    no_models: str
    chosen: str
    all_the_same: str
    """Asks to confirm a model that is not available now."""

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
    """The last option: any other server."""

    address_label: str
    address_hint: str
    address_asking: str
    key: str
    key_text: str
    key_hint: str
    key_wanted: str
    key_optional: str
    """Shown for a server that may not need a key."""

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
    asking: str
    skip: str
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
    models_title="Storyteller for {campaign}",
    models_usual="Default storyteller",
    scenes_title="Scripted scenes only",
    scenes_text="The story as its author wrote it. No model, no cost.",
    no_models="No model is set up yet. Press s to set one up.",
    chosen="in use",
    all_the_same="Not available now: {trouble}. Press Enter again to choose it anyway.",
    back="Back",
    next="Next",
    looking="Looking ...",
    join=" · ",
    title="Set up a model",
    step="Step {step} of 4",
    where="Where does the model run?",
    where_text="On this machine, it is free and private. A service needs your own key and costs money.",
    where_looking="Searching this machine ...",
    where_none="No server found on this machine. Start Ollama, LM Studio or another server and press r, or "
    "choose a service.",
    where_found="Found on this machine: {count}.",
    local="on this machine, free",
    local_empty="on this machine, but it has no model yet",
    service="with your own key",
    service_ready="key already available",
    address="Another server, by its address",
    address_label="Any OpenAI-compatible server",
    address_hint="for example 127.0.0.1:8080/v1",
    address_asking="Fetching its list of models ...",
    key="Your key for {title}",
    key_text="The key is not shown. It is stored in your system's keyring, never in a file.",
    key_hint="paste or type it here",
    key_wanted="{title} needs a key.",
    key_optional="Leave it empty if the server needs none.",
    model="Which model?",
    model_text="Pick one, or type another name.",
    model_typed="Another name",
    model_hint="as {title} spells it",
    model_wanted="Pick a model, or type its name.",
    testing="Test question",
    testing_text="Asking {model} a short question ...",
    test_good="✓ It answers.",
    test_bad="✗ It did not work.",
    test_said="“{text}”",
    test_silent="The reply was empty but well-formed.",
    test_seconds="{seconds} s",
    test_next="Nothing is saved yet. What next?",
    asking="Asking the server what it can do ({number} of {of}): {question} ...",
    skip="Skip this question",
    keep="Use this model",
    again="Try again",
    other_key="Another key",
    other_model="Another model",
    other_place="Another place",
    keeping="Saving ...",
    kept="Saved",
    kept_bad="✗ Could not save it.",
    kept_next="New campaigns will use it. To change the storyteller of a campaign, select it and press m.",
    done="Done",
    first_title="Welcome to Talewright",
    first_text="Stories with rules: dice and state decide what happens, not whim.",
    first_play="Play now, no model needed",
    first_play_text="Every scene was written by the author. Pick a game and press Enter.",
    first_no_games="No such games found.",
    first_model="Play with a model",
    first_model_text="Say anything you like, in your own words. Use a model on this machine, or a service "
    "with your own key. Setup takes about two minutes.",
    first_model_do="Set up a model",
    first_beginning="Starting {title} ...",
    wrong="Something went wrong: {error}",
    wrong_hint="Nothing was saved. Try again.",
)

CHINESE = SetupWords(
    models_title="{campaign} 的讲述者",
    models_usual="默认的讲述者",
    scenes_title="只用剧本",
    scenes_text="按作者写好的剧本讲述。不用模型，不花钱。",
    no_models="还没有设置模型。按 s 设置一个。",
    chosen="使用中",
    all_the_same="这个模型现在不可用：{trouble}。再按一次回车，仍然选它。",
    back="返回",
    next="下一步",
    looking="正在加载……",
    join=" · ",
    title="设置模型",
    step="第 {step} 步，共 4 步",
    where="模型在哪里运行？",
    where_text="在本机运行，免费，数据也不外传。在线服务要用你自己的密钥，需要付费。",
    where_looking="正在搜索本机……",
    where_none="本机上没有找到服务器。可以启动 Ollama、LM Studio 等再按 r，或者选一个在线服务。",
    where_found="本机上找到：{count} 个。",
    local="在本机，免费",
    local_empty="在本机，但里面还没有模型",
    service="用你自己的密钥",
    service_ready="已有密钥",
    address="其他服务器，填写地址",
    address_label="任何兼容 OpenAI 接口的服务器",
    address_hint="例如 127.0.0.1:8080/v1",
    address_asking="正在获取模型列表……",
    key="{title} 的密钥",
    key_text="密钥不会显示出来。它存进系统的钥匙串，绝不写进文件。",
    key_hint="在这里粘贴或输入",
    key_wanted="{title} 需要密钥。",
    key_optional="服务器不需要密钥的话，可以留空。",
    model="用哪个模型？",
    model_text="选一个，或者输入其他名称。",
    model_typed="其他名称",
    model_hint="照 {title} 的写法",
    model_wanted="请选一个模型，或者输入它的名称。",
    testing="测试提问",
    testing_text="正在向 {model} 提一个简短的问题……",
    test_good="✓ 它回答了。",
    test_bad="✗ 没有成功。",
    test_said="“{text}”",
    test_silent="回答是空的，但格式正确。",
    test_seconds="{seconds} 秒",
    test_next="还没有保存。接下来？",
    asking="正在询问服务器的能力（{number}/{of}）：{question}……",
    skip="跳过这个问题",
    keep="就用这个模型",
    again="再试一次",
    other_key="换密钥",
    other_model="换模型",
    other_place="换服务",
    keeping="正在保存……",
    kept="已保存",
    kept_bad="✗ 保存失败。",
    kept_next="新开的存档都用它。要换某个存档的讲述者，选中它按 m。",
    done="完成",
    first_title="欢迎来到 Talewright",
    first_text="有规则的故事：结果由骰子和状态决定，不凭一时兴起。",
    first_play="现在就玩，不需要模型",
    first_play_text="每一幕都由作者写好。选一个，按回车。",
    first_no_games="这里没有找到这样的游戏。",
    first_model="用模型来玩",
    first_model_text="想说什么就说什么。可以用本机上的模型，也可以用自己的密钥连接在线服务；设置大约两分钟。",
    first_model_do="设置模型",
    first_beginning="正在开始《{title}》……",
    wrong="出错了：{error}",
    wrong_hint="没有保存任何内容。请再试一次。",
)


def setup_words(language: str) -> SetupWords:
    """The setup words that best match a language."""
    return pick_words(language, {ENGLISH_CODE: ENGLISH, CHINESE_CODE: CHINESE})
