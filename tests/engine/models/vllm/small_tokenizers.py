"""Tokenizers of the kinds that instruct models have, trained on the spot in milliseconds."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from tokenizers import (
    AddedToken,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)
from transformers import PreTrainedTokenizerFast

_TEXT = (
    "Is the claim supported by the note? The patient has a fever of 38 and no cough. "
    "yes no Yes No 0 1 A B true false "
)

MISTRAL = (
    "{{ bos_token }}{% for message in messages %}"
    "{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}"
    "{% elif message['role'] == 'assistant' %}{{ message['content'] + eos_token }}"
    "{% else %}{{ raise_exception('Only user and assistant roles are supported!') }}"
    "{% endif %}{% endfor %}"
)
LLAMA_2 = (
    "{% if messages[0]['role'] == 'system' %}"
    "{% set loop_messages = messages[1:] %}{% set system = messages[0]['content'] %}"
    "{% else %}{% set loop_messages = messages %}{% set system = false %}{% endif %}"
    "{% for message in loop_messages %}"
    "{% if loop.index0 == 0 and system != false %}"
    "{% set content = '<<SYS>>\\n' + system + '\\n<</SYS>>\\n\\n' + message['content'] %}"
    "{% else %}{% set content = message['content'] %}{% endif %}"
    "{% if message['role'] == 'user' %}"
    "{{ bos_token + '[INST] ' + content.strip() + ' [/INST]' }}"
    "{% else %}{{ ' ' + content.strip() + ' ' + eos_token }}{% endif %}{% endfor %}"
)
CHATML = (
    "{% for message in messages %}"
    "{% if loop.first and messages[0]['role'] != 'system' %}"
    "{{ '<|im_start|>system\\nYou are a helpful assistant.<|im_end|>\\n' }}{% endif %}"
    "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
LLAMA_3 = (
    "{{- bos_token }}{%- if not date_string is defined %}"
    "{%- if strftime_now is defined %}{%- set date_string = strftime_now('%d %b %Y') %}"
    "{%- else %}{%- set date_string = '26 Jul 2024' %}{%- endif %}{%- endif %}"
    "{{- '<|start_header_id|>system<|end_header_id|>\\n\\n' }}"
    "{{- 'Cutting Knowledge Date: December 2023\\nToday Date: ' + date_string + '\\n\\n' }}"
    "{{- '<|eot_id|>' }}{%- for message in messages %}"
    "{{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' }}"
    "{{- message['content'] | trim + '<|eot_id|>' }}{%- endfor %}"
    "{%- if add_generation_prompt %}"
    "{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{%- endif %}"
)
TODAY = (
    "{{ bos_token }}Today is {{ strftime_now('%d %B %Y') }}.\n"
    "{% for message in messages %}{{ message['content'] }}{% endfor %}"
)

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
ENDS = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}


def byte_level(special: list[str], **names: str) -> PreTrainedTokenizerFast:
    """BPE over bytes, as LLaMA-3 and newer Mistral models have; no space is ever put in."""
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=500,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    backend.train_from_iterator([_TEXT] * 3, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=backend, **names)


def llama_3() -> PreTrainedTokenizerFast:
    special = ["<|begin_of_text|>", "<|eot_id|>", "<|start_header_id|>", "<|end_header_id|>"]
    tokenizer = byte_level(special, bos_token=special[0], eos_token=special[1])
    return _adding_bos(tokenizer, LLAMA_3)


def chatml() -> PreTrainedTokenizerFast:
    """Has no BOS, and its turn marks are added tokens that nobody declared to be special."""
    tokenizer = byte_level(["<|endoftext|>"], eos_token="<|endoftext|>")  # noqa: S106
    marks = [AddedToken(mark, special=False) for mark in ("<|im_start|>", "<|im_end|>")]
    tokenizer.backend_tokenizer.add_tokens(marks)
    tokenizer.chat_template = CHATML
    return tokenizer


def sentencepiece(pre_tokenizer: Any, normalizer: Any = None) -> PreTrainedTokenizerFast:
    """BPE whose words begin with `▁`; what is not in the vocabulary is spelled in bytes."""
    backend = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True))  # noqa: S106
    backend.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<unk>", "<s>", "</s>", *BYTES]
    trainer = trainers.BpeTrainer(vocab_size=480, special_tokens=special, show_progress=False)
    backend.train_from_iterator([_TEXT] * 3, trainer)
    if normalizer is not None:
        backend.normalizer = normalizer
    if pre_tokenizer is not None:
        backend.pre_tokenizer = pre_tokenizer
    content = json.loads(backend.to_str())
    if pre_tokenizer is None:
        content["pre_tokenizer"] = None
    # Trained as special tokens to be in the vocabulary; in real models, bytes are plain pieces.
    content["model"]["byte_fallback"] = True
    content["added_tokens"] = [t for t in content["added_tokens"] if t["content"] not in BYTES]
    return PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(json.dumps(content)), **ENDS)


def mistral() -> PreTrainedTokenizerFast:
    """A space is put before the very first word only."""
    before_first = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    return _adding_bos(sentencepiece(before_first), MISTRAL)


def llama_2() -> PreTrainedTokenizerFast:
    """A space is put before the text and after every control token, by the normaliser."""
    spaces = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    return _adding_bos(sentencepiece(None, spaces), LLAMA_2)


def always_a_space() -> PreTrainedTokenizerFast:
    before_all = pre_tokenizers.Metaspace(prepend_scheme="always", split=False)
    return _adding_bos(sentencepiece(before_all), TODAY)


def unigram() -> PreTrainedTokenizerFast:
    """Its control tokens are pieces of the vocabulary like any other. Made of Mistral's pieces."""
    vocabulary = mistral().get_vocab()
    # The sum of scores decides, so the fewest pieces win; of as many, the first ones.
    pieces = [(piece, -10.0 - index / 1000) for piece, index in vocabulary.items()]
    pieces.sort(key=lambda scored: vocabulary[scored[0]])
    backend = Tokenizer(models.Unigram(pieces, 0, byte_fallback=True))
    backend.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=True)
    backend.add_special_tokens(["<unk>", "<s>", "</s>"])
    return _adding_bos(PreTrainedTokenizerFast(tokenizer_object=backend, **ENDS), MISTRAL)


def base_model() -> PreTrainedTokenizerFast:
    """Not tuned to instructions: no chat template."""
    tokenizer = mistral()
    tokenizer.chat_template = None
    return tokenizer


def _adding_bos(tokenizer: PreTrainedTokenizerFast, template: str) -> PreTrainedTokenizerFast:
    """Like real ones, it would put a second BOS before a rendered template if it were let to."""
    bos = tokenizer.bos_token
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{bos} $A",
        pair=f"{bos} $A {bos} $B",
        special_tokens=[(bos, tokenizer.bos_token_id)],
    )
    tokenizer.chat_template = template
    return tokenizer


class Kind(NamedTuple):
    """A tokenizer and what its chat template puts around a user's turn."""

    make: Callable[[], PreTrainedTokenizerFast]
    head: str
    tail: str


KINDS = {
    "mistral": Kind(mistral, "<s>[INST] ", " [/INST]"),
    "llama-2": Kind(llama_2, "<s>[INST] ", " [/INST]"),
    "llama-3": Kind(
        llama_3,
        "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\n"
        "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n<|eot_id|>"
        "<|start_header_id|>user<|end_header_id|>\n\n",
        "<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
    ),
    "chatml": Kind(
        chatml,
        "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\n",
        "<|im_end|>\n<|im_start|>assistant\n",
    ),
    "always a space": Kind(always_a_space, "<s>Today is 26 Jul 2024.\n", ""),
    "unigram": Kind(unigram, "<s>[INST] ", " [/INST]"),
    "base": Kind(base_model, "<s>", "\n"),
}
