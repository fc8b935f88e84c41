"""Families of transformers' models of text, in tiny sizes."""

from __future__ import annotations

from family import (
    DECODER,
    GROUPED,
    IDS,
    PAIR,
    SMALL,
    Family,
    causal,
    encoder,
    text,
    text_to_text,
)

TEXT: dict[str, Family] = {
    # Causal language models.
    "llama": causal("LlamaForCausalLM", GROUPED),
    "qwen2": causal("Qwen2ForCausalLM", GROUPED),
    "qwen3": causal("Qwen3ForCausalLM", GROUPED),
    "mistral": causal("MistralForCausalLM", {**GROUPED, "sliding_window": 4}),
    "gemma2": causal("Gemma2ForCausalLM", {**GROUPED, "sliding_window": 4}),
    "gemma3": causal("Gemma3ForCausalLM", {**GROUPED, "sliding_window": 4}),
    "phi": causal("PhiForCausalLM", SMALL),
    "phi3": causal("Phi3ForCausalLM", {**SMALL, "num_key_value_heads": 2}),
    "mixtral": causal(
        "MixtralForCausalLM",
        {**GROUPED, "num_local_experts": 4, "num_experts_per_tok": 2},
    ),
    "gpt_oss": causal(
        "GptOssForCausalLM",
        {
            **GROUPED,
            "num_local_experts": 4,
            "num_experts_per_tok": 2,
            "sliding_window": 4,
        },
    ),
    "gpt2": causal(
        "GPT2LMHeadModel",
        {
            "vocab_size": 96,
            "n_embd": 32,
            "n_layer": 2,
            "n_head": 4,
            "n_positions": 64,
            "bos_token_id": 0,
            "eos_token_id": 2,
        },
    ),
    "gpt_neox": causal("GPTNeoXForCausalLM", SMALL),
    "gptj": causal(
        "GPTJForCausalLM",
        {
            "vocab_size": 96,
            "n_embd": 32,
            "n_layer": 2,
            "n_head": 4,
            "n_positions": 64,
            "rotary_dim": 4,
            "bos_token_id": 0,
            "eos_token_id": 2,
        },
    ),
    "opt": causal(
        "OPTForCausalLM",
        {
            "vocab_size": 96,
            "hidden_size": 32,
            "num_hidden_layers": 2,
            "ffn_dim": 64,
            "num_attention_heads": 4,
            "max_position_embeddings": 64,
            "word_embed_proj_dim": 32,
        },
    ),
    "bloom": causal(
        "BloomForCausalLM",
        {"vocab_size": 96, "hidden_size": 32, "n_layer": 2, "n_head": 4},
    ),
    "falcon": causal(
        "FalconForCausalLM",
        {
            "vocab_size": 96,
            "hidden_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "bos_token_id": 0,
            "eos_token_id": 2,
        },
    ),
    "stablelm": causal("StableLmForCausalLM", {**SMALL, "num_key_value_heads": 2}),
    "olmo2": causal("Olmo2ForCausalLM", {**SMALL, "num_key_value_heads": 2}),
    "cohere": causal("CohereForCausalLM", {**SMALL, "num_key_value_heads": 2}),
    "granite": causal("GraniteForCausalLM", {**SMALL, "num_key_value_heads": 2}),
    "starcoder2": causal("Starcoder2ForCausalLM", {**SMALL, "num_key_value_heads": 2}),
    "smollm3": causal("SmolLM3ForCausalLM", {**SMALL, "num_key_value_heads": 2}),
    "mamba": Family(
        "MambaForCausalLM",
        {
            "vocab_size": 96,
            "hidden_size": 32,
            "num_hidden_layers": 2,
            "state_size": 4,
            "pad_token_id": 1,
            "bos_token_id": 0,
            "eos_token_id": 2,
        },
        text,
        IDS,
        options={"use_cache": False},
        only_static="the model loops over its tokens in Python",
    ),
    # Encoders of text.
    "bert": encoder("BertForMaskedLM", SMALL),
    "roberta": encoder("RobertaForMaskedLM", SMALL),
    "xlm_roberta": encoder("XLMRobertaForSequenceClassification", SMALL),
    "deberta_v2": encoder(
        "DebertaV2ForMaskedLM",
        {
            **SMALL,
            "relative_attention": True,
            "position_buckets": 8,
            "pos_att_type": ["p2c", "c2p"],
            "norm_rel_ebd": "layer_norm",
            "share_att_key": True,
        },
    ),
    "albert": encoder("AlbertForMaskedLM", {**SMALL, "embedding_size": 16}),
    "distilbert": encoder(
        "DistilBertForMaskedLM",
        {
            "vocab_size": 96,
            "dim": 32,
            "hidden_dim": 64,
            "n_layers": 2,
            "n_heads": 4,
            "max_position_embeddings": 64,
        },
    ),
    "electra": encoder("ElectraForPreTraining", {**SMALL, "embedding_size": 16}),
    "mpnet": encoder("MPNetForMaskedLM", SMALL),
    "modernbert": encoder(
        "ModernBertForMaskedLM",
        {**SMALL, "cls_token_id": 0, "sep_token_id": 2, "local_attention": 4},
    ),
    "xlnet": encoder(
        "XLNetLMHeadModel",
        {"vocab_size": 96, "d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 64},
    ),
    # Text to text.
    "t5": Family(
        "T5ForConditionalGeneration",
        {
            "vocab_size": 96,
            "d_model": 32,
            "d_kv": 8,
            "d_ff": 64,
            "num_layers": 2,
            "num_heads": 4,
            "decoder_start_token_id": 0,
        },
        text_to_text,
        DECODER,
    ),
    "bart": Family("BartForConditionalGeneration", PAIR, text_to_text, DECODER),
    "pegasus": Family("PegasusForConditionalGeneration", PAIR, text_to_text, DECODER),
    "marian": Family("MarianMTModel", PAIR, text_to_text, DECODER),
}
