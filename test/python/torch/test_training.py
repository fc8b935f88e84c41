"""Ten steps of training through torch.compile against eager PyTorch."""

import copy
import os
import warnings

import pytest
import torch
from torch.nn import functional as F

STEPS = 10


def resnet18():
    from transformers import ResNetConfig, ResNetForImageClassification

    config = ResNetConfig(
        embedding_size=64,
        hidden_sizes=[64, 128, 256, 512],
        depths=[2, 2, 2, 2],
        layer_type="basic",
        num_labels=10,
    )
    # In double precision: single precision alone moves inputs of ReLUs past zero,
    # and the losses of PyTorch's own runs apart within a few steps.
    model = ResNetForImageClassification(config).double()

    def batch(generator):
        images = torch.randn(4, 3, 32, 32, generator=generator).double()
        return images, torch.randint(0, 10, (4,), generator=generator)

    return model, batch, lambda out, labels: F.cross_entropy(out.logits, labels)


def bert_tiny():
    from transformers import BertConfig, BertForSequenceClassification

    config = BertConfig(
        vocab_size=1000,
        hidden_size=128,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=512,
        num_labels=3,
    )
    model = BertForSequenceClassification(config)

    def batch(generator):
        ids = torch.randint(0, 1000, (4, 32), generator=generator)
        return ids, torch.randint(0, 3, (4,), generator=generator)

    return model, batch, lambda out, labels: F.cross_entropy(out.logits, labels)


class Block(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
        self.qkv = torch.nn.Linear(width, 3 * width, bias=False)
        self.out = torch.nn.Linear(width, width, bias=False)
        self.up = torch.nn.Linear(width, 4 * width)
        self.down = torch.nn.Linear(4 * width, width)

    def forward(self, x):
        shape = (*x.shape[:2], 3, self.heads, -1)
        q, k, v = self.qkv(self.norm1(x)).view(shape).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + F.dropout(self.out(y.transpose(1, 2).flatten(2)), 0.1, self.training)
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class NanoGPT(torch.nn.Module):
    """The character model of nanoGPT: six layers of six heads, 384 wide."""

    def __init__(self, vocabulary=65, width=384, heads=6, layers=6, context=64):
        super().__init__()
        self.tokens = torch.nn.Embedding(vocabulary, width)
        self.places = torch.nn.Embedding(context, width)
        self.blocks = torch.nn.Sequential(*(Block(width, heads) for _ in range(layers)))
        self.norm = torch.nn.LayerNorm(width)
        self.head = torch.nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, ids):
        x = self.tokens(ids) + self.places(torch.arange(ids.shape[1]))
        return self.head(self.norm(self.blocks(x)))


def nano_gpt():
    def batch(generator):
        ids = torch.randint(0, 65, (4, 33), generator=generator)
        return ids[:, :-1].contiguous(), ids[:, 1:]

    return (
        NanoGPT(),
        batch,
        lambda out, y: F.cross_entropy(out.flatten(0, 1), y.flatten()),
    )


MODELS = {"resnet18": resnet18, "bert_tiny": bert_tiny, "nano_gpt": nano_gpt}
OPTIMIZERS = {
    "sgd": lambda p: torch.optim.SGD(p, lr=1e-4, momentum=0.9),
    "adamw": lambda p: torch.optim.AdamW(p, lr=1e-4),
}


def train(module, forward, batch, loss_of, optimizer):
    """Losses of all steps, and the gradients of the first one."""
    optimizer = optimizer(module.parameters())
    generator = torch.Generator().manual_seed(1)
    # Dropout draws from here.
    torch.manual_seed(2)
    losses, first = [], {}
    for step in range(STEPS):
        x, y = batch(generator)
        optimizer.zero_grad()
        loss = loss_of(forward(x), y)
        loss.backward()
        if step == 0:
            first = {n: p.grad.clone() for n, p in module.named_parameters()}
        optimizer.step()
        losses.append(loss.item())
    return losses, first


FULL = bool(os.environ.get("FERRULE_FULL"))
PAIRS = [(name, optimizer) for name in MODELS for optimizer in OPTIMIZERS]
SLICE = [("resnet18", "sgd"), ("bert_tiny", "adamw"), ("nano_gpt", "adamw")]


@pytest.mark.parametrize("name, optimizer", PAIRS if FULL else SLICE)
def test_ten_steps(name, optimizer):
    torch._dynamo.reset()
    torch.manual_seed(0)
    module, batch, loss_of = MODELS[name]()
    module.train()
    other = copy.deepcopy(module)
    optimizer = OPTIMIZERS[optimizer]
    losses, gradients = train(module, module, batch, loss_of, optimizer)
    compiled = torch.compile(other, backend="ferrule")
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "ferrule (has no|cannot)")
        ours, our_gradients = train(other, compiled, batch, loss_of, optimizer)
    assert ours == pytest.approx(losses, rel=1e-4)
    assert our_gradients.keys() == gradients.keys()
    for parameter, gradient in gradients.items():
        difference = (our_gradients[parameter] - gradient).abs().max()
        assert difference <= 1e-4 * gradient.abs().max() + 1e-6, parameter
    # What the layers count and average.
    for buffer, expected in module.named_buffers():
        actual = dict(other.named_buffers())[buffer]
        torch.testing.assert_close(actual, expected, rtol=1e-3, atol=1e-4)
