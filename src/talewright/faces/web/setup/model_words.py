"""Words of the pages about models, in English and Chinese.

API keys never appear in them.
"""

from dataclasses import dataclass

from talewright.common.language_tags import pick_words


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPageWords:
    """Words of the model pages; placeholders are the same in every language."""

    title: str
    for_campaign: str
    by_default: str
    about: str
    scenes: str
    scenes_about: str
    as_default: str
    """The choice of a campaign that has none of its own."""

    none_set_up: str
    use_default: str
    use_here: str
    add: str
    local: str
    local_none: str
    local_empty: str
    look_again: str
    services: str
    services_about: str
    has_key: str
    own_server: str
    own_server_about: str
    address: str
    find: str
    key: str
    key_about: str
    key_stored: str
    key_optional: str
    model: str
    other_model: str
    try_it: str
    trying: str
    asking: str
    probing: str
    refreshes: str
    """On a page without scripts."""

    good: str
    bad: str
    silent: str
    seconds: str
    estimate: str
    """Beside a price."""

    abilities: str
    stopped: str
    skip: str
    stop: str
    keep: str
    keep_about: str
    again: str
    another: str
    kept: str
    back: str


ENGLISH = ModelPageWords(
    title="Storyteller",
    for_campaign="Storyteller of {campaign}",
    by_default="Storyteller of new campaigns",
    about="With a model you can say anything in your own words. Games with written scenes also work "
    "without one.",
    scenes="Written scenes only",
    scenes_about="The story as its author wrote it. No model, no cost.",
    as_default="default",
    none_set_up="No model is set up yet. Add one below.",
    use_default="Use for new campaigns",
    use_here="Use for this campaign",
    add="Add a model",
    local="On this machine",
    local_none="No model server found. Start Ollama, LM Studio or another one, then search again.",
    local_empty="It answers, but has no model yet.",
    look_again="Search again",
    services="At a service",
    services_about="A service needs your own key, and costs money.",
    has_key="key stored",
    own_server="At another address",
    own_server_about="Any server with an OpenAI-compatible interface.",
    address="Address, such as http://127.0.0.1:8080/v1",
    find="Find its models",
    key="Your key for {title}",
    key_about="Talewright sends it to {title} only. If you use the model, the key is stored in your system's "
    "keyring; without a keyring, it stays in memory until the server stops. It is never shown again.",
    key_stored="A key is stored already. Leave this empty to use it.",
    key_optional="Leave this empty if the server needs no key.",
    model="Model",
    other_model="Another model, by its name",
    try_it="Test it",
    trying="Testing {model}",
    asking="Asking a short question to see whether it answers.",
    probing="It answers. Now asking its server what it can do ({number} of {of}): {question}.",
    refreshes="This page refreshes automatically.",
    good="It answers.",
    bad="It did not work.",
    silent="The reply was empty, but well-formed.",
    seconds="{seconds} seconds",
    estimate="{price} (estimated)",
    abilities="What its server can do",
    stopped="You stopped the questions. You can still use the model.",
    skip="Skip this question",
    stop="Stop",
    keep="Use this model",
    keep_about="Nothing is saved yet.",
    again="Try again",
    another="Choose another",
    kept="Saved",
    back="All models",
)

CHINESE = ModelPageWords(
    title="讲述者",
    for_campaign="《{campaign}》的讲述者",
    by_default="新存档的讲述者",
    about="有了模型，想说什么就说什么。没有模型，写好剧本的游戏也能玩。",
    scenes="只用剧本",
    scenes_about="按作者写好的剧本讲述。不用模型，不花钱。",
    as_default="默认",
    none_set_up="还没有设置模型。可以在下面添加一个。",
    use_default="用于新存档",
    use_here="用于这个存档",
    add="添加模型",
    local="在这台机器上",
    local_none="这台机器上没有模型服务器应答。请启动 Ollama、LM Studio 等，然后重新查找。",
    local_empty="服务器有应答，但里面还没有模型。",
    look_again="重新查找",
    services="在线服务",
    services_about="在线服务要用你自己的密钥，需要付费。",
    has_key="已有密钥",
    own_server="其他地址",
    own_server_about="任何兼容 OpenAI 接口的服务器。",
    address="地址，例如 http://127.0.0.1:8080/v1",
    find="查找模型",
    key="{title} 的密钥",
    key_about="密钥只会发给 {title}。选用这个模型后，密钥存进系统钥匙串；没有钥匙串时只留在内存里，"
    "服务器停止后就没有了。密钥不会再显示出来。",
    key_stored="已经存有密钥。留空就用它。",
    key_optional="服务器不需要密钥的话，可以留空。",
    model="模型",
    other_model="其他模型的名称",
    try_it="测试",
    trying="正在测试 {model}",
    asking="先问一个简短的问题，看它是否回答。",
    probing="它回答了。正在询问服务器的能力（{number}/{of}）：{question}。",
    refreshes="页面会自动刷新。",
    good="它回答了。",
    bad="没有成功。",
    silent="回答是空的，但格式正确。",
    seconds="{seconds} 秒",
    estimate="{price}（估计）",
    abilities="服务器的能力",
    stopped="已停止询问。这个模型仍然可以使用。",
    skip="跳过这个问题",
    stop="停止",
    keep="就用这个模型",
    keep_about="还没有保存。",
    again="再试一次",
    another="另选一个",
    kept="已保存",
    back="所有模型",
)


def model_words(language: str) -> ModelPageWords:
    """The words that best match a language."""
    return pick_words(language, {"en": ENGLISH, "zh-CN": CHINESE})
