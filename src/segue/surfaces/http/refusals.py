"""What the server does not do, and why: `refusals.txt` is the table of it."""

from __future__ import annotations

from functools import partial

from segue.model import sentences
from segue.surfaces import http

refusal = partial(sentences.refusal, f"{http.__path__[0]}/refusals.txt")
