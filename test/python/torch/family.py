"""What a family of models is: a class, its configuration, what it is called with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import torch

SEED = 20261130


@dataclass(frozen=True)
class Family:
    """`inputs(batch, length)` gives the keyword arguments of a call.

    `length` is a number of tokens or of frames, and nothing for pictures.
    `dynamic` names, for each input, the dimensions that may change.
    """

    model: str
    config: dict
    inputs: Callable[[int, int], dict]
    dynamic: dict[str, dict[int, str]]
    sizes: tuple[tuple[int, int], ...] = ((2, 9), (1, 5), (3, 12))
    # What the model is told for every call; no tensors.
    options: dict = field(default_factory=dict)
    # Largest difference, in parts of the output's largest magnitude.
    tolerance: float = 2e-4
    # Why the dynamic form is not tried: what the exporter or the model lacks.
    only_static: str = ""

    def make(self):
        import transformers

        model = getattr(transformers, self.model)
        torch.manual_seed(SEED)
        module = model(model.config_class(**self.config)).eval()
        # Fresh models are nearly linear and have biases of zero: a wrong bias, or a
        # softmax over the wrong dimension, would hardly show.
        with torch.no_grad():
            for weight in (*module.parameters(), *running_means(module)):
                fan_in = max(1, weight[0].numel()) if weight.dim() > 1 else 25
                weight.add_(torch.randn_like(weight) * 0.5 * fan_in**-0.5)
        return module


def running_means(module):
    return [b for name, b in module.named_buffers() if name.endswith("running_mean")]


def generator(*numbers: int) -> torch.Generator:
    return torch.Generator().manual_seed(SEED + sum(numbers))


def tokens(batch, length, vocabulary=96):
    return torch.randint(
        3, vocabulary, (batch, length), generator=generator(batch, length)
    )


def floats(*shape):
    return torch.randn(shape, generator=generator(*shape))


def text(batch, length):
    return {"input_ids": tokens(batch, length)}


def masked_text(batch, length):
    """Token ids where the second row is shorter than the others."""
    mask = torch.ones(batch, length, dtype=torch.int64)
    mask[1:2, length // 2 + 1 :] = 0
    return {"input_ids": tokens(batch, length), "attention_mask": mask}


def text_to_text(batch, length):
    return {
        "input_ids": tokens(batch, length),
        "decoder_input_ids": tokens(batch, length // 2 + 1),
    }


def pictures(size, channels=3):
    return lambda batch, length: {"pixel_values": floats(batch, channels, size, size)}


def wave(batch, length):
    return {"input_values": floats(batch, 400 + 160 * length)}


def picture_and_text(batch, length):
    return {
        "input_ids": tokens(batch, length),
        "pixel_values": floats(batch, 3, 32, 32),
        "attention_mask": torch.ones(batch, length, dtype=torch.int64),
    }


ROWS = {0: "batch"}
TOKENS = {0: "batch", 1: "sequence"}
IDS = {"input_ids": TOKENS}
MASKED = {"input_ids": TOKENS, "attention_mask": TOKENS}
PIXELS = {"pixel_values": ROWS}

SMALL = {
    "vocab_size": 96,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "max_position_embeddings": 64,
    "pad_token_id": 1,
    "bos_token_id": 0,
    "eos_token_id": 2,
}
GROUPED = {**SMALL, "num_key_value_heads": 2, "head_dim": 8}
VISION = {
    "image_size": 32,
    "patch_size": 8,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
}
SPEECH = {
    **{k: v for k, v in SMALL.items() if k != "max_position_embeddings"},
    "conv_dim": [16, 16],
    "conv_stride": [5, 4],
    "conv_kernel": [10, 8],
    "num_conv_pos_embeddings": 16,
    "num_conv_pos_embedding_groups": 4,
}
PAIR = {
    "vocab_size": 96,
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
    "max_position_embeddings": 64,
    "pad_token_id": 1,
    "bos_token_id": 0,
    "eos_token_id": 2,
    "decoder_start_token_id": 2,
}
DECODER = {"input_ids": TOKENS, "decoder_input_ids": {0: "batch", 1: "target"}}
RESIDUAL = {
    "embedding_size": 8,
    "hidden_sizes": [8, 16, 32, 64],
    "depths": [1, 1, 2, 1],
}


def causal(model, config, **more):
    return Family(model, config, masked_text, MASKED, **more)


def encoder(model, config, **more):
    return Family(model, config, masked_text, MASKED, **more)


def vision(model, config, size=32, **more):
    return Family(model, config, pictures(size), PIXELS, **more)
