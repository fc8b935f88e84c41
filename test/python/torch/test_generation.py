"""Greedy generation with a key/value cache, against transformers' `generate`.

One program serves the prompt and every step after it: the number of new tokens
and the length of the cache are dynamic, and the cache is transformers' own.
"""

import families
import pytest
import torch
import transformers

import ferrule

STEPS = 20


def cache_of(config, length):
    """A cache that holds `length` tokens of zeros in every layer."""
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    width = getattr(config, "head_dim", None)
    width = width or config.hidden_size // config.num_attention_heads
    cache = transformers.DynamicCache()
    for layer in range(config.num_hidden_layers):
        state = torch.zeros(1, heads, length, width)
        cache.update(state, state.clone(), layer)
    return cache


def compile_with_cache(model):
    layers = [{2: "past"}] * model.config.num_hidden_layers
    return ferrule.compile(
        model,
        example_kwargs={
            "input_ids": torch.ones(1, 4, dtype=torch.int64),
            "attention_mask": torch.ones(1, 9, dtype=torch.int64),
            "past_key_values": cache_of(model.config, 5),
        },
        dynamic_shapes={
            "input_ids": {1: "new"},
            "attention_mask": {1: "total"},
            "past_key_values": [layers, layers],
        },
    )


def generate(model, program, prompt):
    """The tokens that the program gives, and the logits of each step."""
    cache, new, total = cache_of(model.config, 0), prompt, 0
    tokens, logits = [], []
    for _ in range(STEPS):
        total += new.shape[1]
        mask = torch.ones(1, total, dtype=torch.int64)
        out = program(input_ids=new, attention_mask=mask, past_key_values=cache)
        cache = out.cache
        logits.append(out.logits[0, -1])
        new = out.logits[:, -1:].argmax(-1)
        tokens.append(int(new))
    return tokens, torch.stack(logits)


@pytest.mark.parametrize("name", ["gpt2", "llama", "qwen3", "gpt_neox", "phi"])
def test_greedy_tokens_are_those_of_generate(name):
    family = families.FAMILIES[name]
    model = family.make()
    program = compile_with_cache(model)
    prompt = family.inputs(1, 6)["input_ids"]
    tokens, logits = generate(model, program, prompt)
    expected = model.generate(
        prompt,
        attention_mask=torch.ones_like(prompt),
        max_new_tokens=STEPS,
        do_sample=False,
        eos_token_id=None,
        pad_token_id=1,
        return_dict_in_generate=True,
        output_logits=True,
    )
    assert tokens == expected.sequences[0, prompt.shape[1] :].tolist()
    wanted = torch.cat(expected.logits)
    assert (logits - wanted).abs().max() < 2e-4 * wanted.abs().max()


def test_loaded_program_takes_its_own_cache(tmp_path):
    """Without the classes of transformers, a cache is a mapping, in and out."""
    model = families.FAMILIES["llama"].make()
    program = compile_with_cache(model)
    path = tmp_path / "llama.byre"
    program.save(path)
    loaded = ferrule.load(path)
    arguments = {
        "input_ids": torch.tensor([[5, 6]]),
        "attention_mask": torch.ones(1, 2, dtype=torch.int64),
        "past_key_values": {
            name: [torch.zeros(1, 2, 0, 8)] * 2 for name in ("key_cache", "value_cache")
        },
    }
    first = loaded(**arguments)
    cache = first["cache"] if isinstance(first, dict) else first.cache
    more = {
        "input_ids": torch.tensor([[9]]),
        "attention_mask": torch.ones(1, 3, dtype=torch.int64),
        "past_key_values": cache,
    }
    second = loaded(**more)
    logits = second["logits"] if isinstance(second, dict) else second.logits
    with torch.no_grad():
        expected = model(input_ids=torch.tensor([[5, 6, 9]])).logits[:, -1:]
    torch.testing.assert_close(logits, expected, atol=1e-5, rtol=1e-4)
