"""Families of transformers' models in tiny sizes, as data.

Each entry names the model's class, the sizes of its configuration and what it is
called with. Weights are random: the architecture is what is tested.
"""

from families_of_media import MEDIA
from families_of_text import TEXT
from family import Family

FAMILIES: dict[str, Family] = {**TEXT, **MEDIA}
