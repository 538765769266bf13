"""Small random checkpoints of the real architectures, with a tokenizer made on the spot."""

from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    MistralConfig,
    MistralForCausalLM,
    MixtralConfig,
    MixtralForCausalLM,
    PreTrainedTokenizerFast,
)

_SHAPE = {
    "hidden_size": 128,
    "intermediate_size": 256,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 32,
    "max_position_embeddings": 1024,
    "bos_token_id": 0,
    "eos_token_id": 1,
    "sliding_window": None,
}

_TEXT = "The patient has a cough. The note says the claim is 1 or 0."
_ENDS = {"bos_token": "<s>", "eos_token": "</s>"}
_MISTRAL_TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}"
    "{% if m['role'] == 'system' %}{{ raise_exception('no system turn') }}"
    "{% elif m['role'] == 'user' %}{{ '[INST] ' + m['content'] + ' [/INST]' }}"
    "{% else %}{{ m['content'] + eos_token }}{% endif %}{% endfor %}"
)


def make_mistral(folder: Path) -> Path:
    """A Mistral with random weights."""
    tokenizer = _tokenizer()
    config = MistralConfig(vocab_size=len(tokenizer), **_SHAPE)
    return _save(MistralForCausalLM, config, tokenizer, folder)


def make_mixtral(folder: Path) -> Path:
    """A Mixtral of four experts with random weights."""
    tokenizer = _tokenizer()
    experts = {"num_local_experts": 4, "num_experts_per_tok": 2}
    config = MixtralConfig(vocab_size=len(tokenizer), **_SHAPE, **experts)
    return _save(MixtralForCausalLM, config, tokenizer, folder)


def _save(
    architecture: type, config: object, tokenizer: PreTrainedTokenizerFast, folder: Path
) -> Path:
    torch.manual_seed(7)
    model = architecture(config)
    # Random weights of the usual size give near-uniform answers, which would prove little.
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3.0)
    model.to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _tokenizer() -> PreTrainedTokenizerFast:
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=["<s>", "</s>", "[INST]", "[/INST]"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    backend.train_from_iterator([_TEXT], trainer)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, **_ENDS)
    tokenizer.chat_template = _MISTRAL_TEMPLATE
    return tokenizer
