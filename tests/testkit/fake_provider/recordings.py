"""Examples of events and bodies in the shape the vendors' documentation and SDK types give, written by hand.

They are no captured traffic, and only their shape counts: names, nesting and the type of each value.
"""

OPENAI_FIRST = """{"id":"chatcmpl-123","object":"chat.completion.chunk","created":1694268190,
"model":"gpt-4o-mini","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"delta":{"role":"assistant","content":"",
"refusal":null},"logprobs":null,"finish_reason":null}],"usage":null}"""

OPENAI_TEXT = """{"id":"chatcmpl-123","object":"chat.completion.chunk","created":1694268190,
"model":"gpt-4o-mini","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"delta":{"content":"Hello"},"logprobs":null,
"finish_reason":null}],"usage":null}"""

OPENAI_CALL = """{"id":"chatcmpl-123","object":"chat.completion.chunk","created":1694268190,
"model":"gpt-4o-mini","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,
"id":"call_DdmO9pD3xa9XTPNJ32zg2hcA","type":"function","function":{"name":"get_weather","arguments":""}}]},
"logprobs":null,"finish_reason":null}],"usage":null}"""

OPENAI_ARGUMENTS = """{"id":"chatcmpl-123","object":"chat.completion.chunk","created":1694268190,
"model":"gpt-4o-mini","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"delta":{"tool_calls":[
{"index":0,"function":{"arguments":"{\\""}}]},"logprobs":null,"finish_reason":null}],"usage":null}"""

OPENAI_LAST = """{"id":"chatcmpl-123","object":"chat.completion.chunk","created":1694268190,
"model":"gpt-4o-mini","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"delta":{},"logprobs":null,
"finish_reason":"tool_calls"}],"usage":null}"""

OPENAI_USAGE = """{"id":"chatcmpl-123","object":"chat.completion.chunk","created":1694268190,
"model":"gpt-4o-mini","system_fingerprint":"fp_44709d6fcb","choices":[],"usage":{"prompt_tokens":19,"completion_tokens":10,
"total_tokens":29,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":
{"reasoning_tokens":0,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}}"""

OPENAI_WHOLE = """{"id":"chatcmpl-abc123","object":"chat.completion","created":1699896916,
"model":"gpt-4o-mini","choices":[{"index":0,"message":{"role":"assistant","content":"Hello","refusal":null,"tool_calls":[
{"id":"call_abc123","type":"function","function":{"name":"get_current_weather","arguments":"{}"}}]},
"logprobs":null,"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":82,"completion_tokens":17,
"total_tokens":99,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":
{"reasoning_tokens":0,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}}"""

OPENAI_ERROR = """{"error":{"message":"Incorrect API key provided.","type":"invalid_request_error",
"param":null,"code":"invalid_api_key"}}"""

LLAMA_TIMINGS = """{"cache_n":236,"prompt_n":1,"prompt_ms":30.958,"prompt_per_token_ms":30.958,
"prompt_per_second":32.301828283480845,"predicted_n":35,"predicted_ms":661.064,
"predicted_per_token_ms":18.887542857142858,"predicted_per_second":52.94494935437416}"""

ANTHROPIC_STREAM = [
    """{"type":"message_start","message":{"id":"msg_014p7gG3wDgGV9EUtLvnow3U","type":"message",
"role":"assistant","model":"claude-opus-4-8","content":[],"stop_reason":null,"stop_sequence":null,"usage":
{"input_tokens":472,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":2,
"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"service_tier":"standard"}}}""",
    """{"type":"ping"}""",
    """{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"",
"signature":""}}""",
    """{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Let me"}}""",
    """{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"EqQBCg"}}""",
    """{"type":"content_block_stop","index":0}""",
    """{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}""",
    """{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Okay"}}""",
    """{"type":"content_block_stop","index":1}""",
    """{"type":"content_block_start","index":2,"content_block":{"type":"tool_use",
"id":"toolu_01T1x1fJ34qAmk2tNTrN7Up6","name":"get_weather","input":{}}}""",
    """{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}""",
    """{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{}"}}""",
    """{"type":"content_block_stop","index":2}""",
    """{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":
{"input_tokens":472,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":89}}""",
    """{"type":"message_stop"}""",
]

ANTHROPIC_WHOLE = """{"id":"msg_01Aq9w938a90dw8q","type":"message","role":"assistant",
"model":"claude-opus-4-8","content":[{"type":"text","text":"Okay"},{"type":"tool_use","id":"toolu_01A09q90qw90lq917835lq9",
"name":"get_weather","input":{"sides":1}}],"stop_reason":"tool_use","stop_sequence":null,"usage":
{"input_tokens":2095,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":503,
"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"service_tier":"standard"}}"""

ANTHROPIC_ERROR = """{"type":"error","error":{"type":"not_found_error","message":"Not found."},
"request_id":"req_011CSHoEeqs5C35K2UUqR7Fy"}"""

GEMINI_STREAM = [
    """{"candidates":[{"content":{"parts":[{"text":"Once"}],"role":"model"},"index":0}],"usageMetadata":
{"promptTokenCount":8,"candidatesTokenCount":1,"totalTokenCount":9,"promptTokensDetails":[{"modality":"TEXT",
"tokenCount":8}]},"modelVersion":"gemini-2.5-flash","responseId":"mAitaLmkHPPlz7IPvtfUqQ4"}""",
    """{"candidates":[{"content":{"parts":[{"functionCall":{"name":"roll","args":{"sides":25}}}],
"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":8,"candidatesTokenCount":9,"totalTokenCount":17,
"promptTokensDetails":[{"modality":"TEXT","tokenCount":8}]},"modelVersion":"gemini-2.5-flash",
"responseId":"mAitaLmkHPPlz7IPvtfUqQ4"}""",
    """{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0,"finishReason":"STOP"}],
"usageMetadata":{"promptTokenCount":8,"candidatesTokenCount":9,"totalTokenCount":17,"promptTokensDetails":
[{"modality":"TEXT","tokenCount":8}]},"modelVersion":"gemini-2.5-flash","responseId":"mAitaLmkHPPlz7IPvtfUqQ4"}""",
]

GEMINI_KEY_ERROR = """{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.",
"status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo",
"reason":"API_KEY_INVALID","domain":"googleapis.com","metadata":
{"service":"generativelanguage.googleapis.com"}}]}}"""


def shape(value: object) -> object:
    """Names, nesting and types of a JSON value."""
    match value:
        case dict():
            return {name: shape(inner) for name, inner in value.items()}
        case list():
            return [shape(inner) for inner in value]
        case bool() | None | str():
            return type(value).__name__
        case _:
            return "number"
