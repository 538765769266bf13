"""Writes a GGUF model as a Hugging Face checkpoint in bf16: `python -m ... SOURCE FOLDER`."""

import sys
from pathlib import Path


def convert(source: Path, folder: Path) -> None:
    """Convert the GGUF file `source` into safetensors, tokenizer and configuration in `folder`."""
    import torch  # noqa: PLC0415
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig  # noqa: PLC0415

    place = {"pretrained_model_name_or_path": str(source.parent), "gguf_file": source.name}
    tokenizer = AutoTokenizer.from_pretrained(**place)
    model = AutoModelForCausalLM.from_pretrained(
        **place, dtype=torch.bfloat16, quantization_config=GgufConfig(dequantize=True)
    )
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
