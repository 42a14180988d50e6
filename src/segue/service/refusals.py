"""What operations do not do, and why: `refusals.txt` is the table of it."""

from __future__ import annotations

from functools import partial

from segue import service
from segue.model import sentences

refusal = partial(sentences.refusal, f"{service.__path__[0]}/refusals.txt")
