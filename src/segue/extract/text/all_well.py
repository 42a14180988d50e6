"""Claims that all is well: a sentence in which checks pass, whoever says it and in many languages.

Of that only the output of the checks tells, so such a sentence is never a reason and never a fact by itself. What
is checked stands before how it went: `pass the token to the tests` claims nothing.
"""

from __future__ import annotations

from segue.extract.text.prose import plainly, word_set

_CHECKED = word_set(
    """
    test tests testing suite suites spec specs build builds check checks lint linter typecheck ci pipeline bench benchmark
    everything all alles alle tutti prüfungen bau tout tous toutes pruebas todo todas testes compilación тесты сборка
    """
)
_WELL = word_set(
    """
    pass passes passed passing green succeed succeeds succeeded works work clean fine
    grün durch bestanden erfolgreich funktioniert sauber passent passe réussi réussissent verts vert
    passano superano slagen geslaagd groen pasan pasa pasaron pasado verde funciona passam passaram проходят прошли зелёные зеленые
    """
)
_NOT_WELL = word_set(
    "not no don't doesn't didn't isn't aren't won't cannot until once if nicht kein pas ne sin не should must"
)
_DETERMINES = word_set("a an the to ein eine einen un une und")
_CHECKED_UNSPACED = ("テスト", "ビルド", "全部", "すべて", "测试", "測試", "构建", "테스트", "全て")
_WELL_UNSPACED = ("通りま", "通っ", "通過", "成功", "パスし", "通过", "通過", "통과", "全绿")
_BETWEEN = 7
"""Words that may stand between what is checked and how it went."""


def says_all_is_well(sentence: str) -> bool:
    if not sentence.isascii() and any(word in sentence for word in _CHECKED_UNSPACED):
        return any(word in sentence for word in _WELL_UNSPACED)
    words = plainly(sentence).replace(",", " ").replace(".", " ").replace("!", " ").replace(";", " ").split()
    if _CHECKED.isdisjoint(words):
        return False
    before = ""
    checked = -_BETWEEN - 1
    for place, word in enumerate(words):
        if word in _NOT_WELL:
            return False
        if word in _CHECKED:
            checked = place
        elif word in _WELL and place - checked <= _BETWEEN and before not in _DETERMINES:
            return True
        before = word
    return False
