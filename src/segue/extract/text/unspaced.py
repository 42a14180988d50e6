"""Chinese, Japanese and Korean, taken apart far enough to see that two sentences speak of the same thing.

No dictionary: Latin letters and digits stand apart, katakana runs are words, Chinese characters count in pairs, and
what only says how something is meant (particles, endings, `must`, `please`) falls away.
"""

from __future__ import annotations

import re
from functools import cache

from segue.extract.text.prose import phrases, word_set
from segue.model.patterns import compiled

_FIRST_UNSPACED = "\u3040"
_LAST_UNSPACED = "\ud7a3"
"""Before and behind them no script does without spaces, as far as rules are written in them."""
_MEANT = (
    "不需要 不用 不必 不要 不能 不许 不准 必须 务必 一定要 始终 使用 改用 改成 换成 应该 最好 可以 现在 以后 已经 而不是 只能 只用 "
    "希望 请 用 了 的 吧 要 把 到 在 是 和 就 也 都 不 对 没 别 再 先 必 使"
)
_PARTICLES = phrases("으로|에서|까지|부터|은|는|이|가|을|를|에|로|의|도|만")
_KOREAN_FILLING = word_set(
    "사용해 주세요 해 하세요 해주세요 써 말고 대신 반드시 항상 절대 이제 다시 그냥 아니요 돼요 됩니다"
)


def spaced(text: str) -> str:
    """The text with spaces between what counts as its words; as it is where its script has them."""
    if text.isascii() or not any(_FIRST_UNSPACED <= char <= _LAST_UNSPACED for char in text):
        return text
    cut = _pieces().sub(_piece, text)
    return " ".join(kept for word in cut.split() if (kept := _stripped(word)) and kept not in _KOREAN_FILLING)


def _piece(found: re.Match[str]) -> str:
    text = found[0]
    if found.lastgroup == "han":
        return " " + " ".join(text[i : i + 2] for i in range(max(1, len(text) - 1))) + " "
    return f" {text} " if found.lastgroup == "kept" else " "


def _stripped(word: str) -> str:
    if not "\uac00" <= word[0] <= "\ud7a3":
        return word
    for particle in _PARTICLES:
        if word.endswith(particle):
            return word[: -len(particle)]
    return word


@cache
def _pieces() -> re.Pattern[str]:
    meant = "|".join(_MEANT.split())
    return compiled(
        rf"(?P<filling>{meant}|[\u3040-\u309f]+)|(?P<kept>[\u30a0-\u30ff]+|[A-Za-z0-9][\w./:%`'\"#-]*|[\uac00-\ud7a3]+)"
        rf"|(?P<han>(?:(?!{meant})[\u4e00-\u9fff])+)",
        re.ASCII,
    )
