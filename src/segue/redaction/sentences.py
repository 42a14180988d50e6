"""Secrets that are told in a sentence, in whatever language: `the password is …`, `Passwort …`, `密码是…`.

Where a verb or a colon says so, an adjective may still stand there; where the value merely follows the word,
or other words come between, only what nobody writes by chance is taken for it.
"""

from __future__ import annotations

from segue.redaction import checks
from segue.redaction.assignments import BARE, COMMON, OPENS_NOTHING, PASSWORDS, SECRETS, assignment, ending
from segue.redaction.made_up import made_up, nameless, said
from segue.redaction.rule import Rule

_WEST = """passwort kennwort contraseña senha palavra-passe wachtwoord hasło heslo lösenord adgangskode passord пароль
Пароль parola şifre"""
_ABROAD = ("mot de passe", "parola d'ordine", *_WEST.split())
_EAST = ("密码", "密碼", "口令", "パスワード", "비밀번호")
"""Languages that put no space between the word, the verb and the value."""
_SPOKEN = ("password", "passwd", "passphrase", "passcode", "pwd", "pw", "requirepass", *_ABROAD)

# In a set the bytes of a wide mark would be members each on its own, and those of other characters begin alike.
_MARKS = r"(?:[\"'`*]|«|“|„){0,3}"
_ARE = "is|was|now|to|ist|war|lautet|est|es|é|è|jest|är|er|je|—|–|-"
_WORD = r"[(\[]?[^\s:=()\[\]\"'`,;]{1,40}[)\]]?"
_VERB = rf"(?:(?:{_WORD})?[ \t]{{0,2}}(?:[:=]|->|=>|→)[ \t]{{0,3}}|(?:{_ARE})[ \t]{{1,3}})"
_DIGIT_INSIDE = r"(?=[^\s0-9]{0,40}+[0-9])"
# Most sentences about passwords tell none; this sends them away before the words are gone through.
_DIGIT_AHEAD = r"(?=[^\n0-9]{0,80}+[0-9])"
_OF = ("", "the ", "a ", "my ", "our ", "its ")
_SENTENCE = 72
"""Bytes before `as the password` in which it may stand."""
_ASCII = r"[!#$%&*+\-/-9=?@A-Z^_a-z~]"
_IN_ASCII = rf"(?P<secret>{_ASCII}{{5,128}}+)"

SENTENCES: tuple[Rule, ...] = (
    Rule(
        "assignment",
        ("pass: ", "pw: ", "pass is ", "pw is "),
        r"(?<![\w.-])(?:[Pp]ass|[Pp]w|PW)(?:: | is )" + BARE % 5,
        ("user: admin pass: ", "hunter2", "\n"),
        "--- PASS: TestV1Retry2 (0.05s)\npass: test_retry_2\n",
        checks.spoken,
    ),
    Rule(
        "assignment",
        ending(("pass",), ": ", " ", "="),
        rf"(?<![\w.-])[Pp]ass(?:: | ?= ?| is | ){_MARKS}{_DIGIT_INSIDE}" + BARE % 8,
        ("login as admin, pass ", "Kr4ken_tide-9917", "\n"),
        "pass: LoginFlow_V2-2024\nall pass 2024-05-01, pass = RetryHandler42, pass v1.28.3+k3s1\n",
        nameless,
    ),
    assignment(
        ending(COMMON, " is ", " was "),
        r"(?:now[ \t]|set to[ \t])?[\"'`*]{0,3}" + BARE % 6,
        checks.unquoted,
        ("the admin password is ", "hunter2!x", ", please change it"),
        "the token is valid, the password is required, the secret is my-app-secret-1",
    ),
    assignment(
        _ABROAD,
        rf"(?:[ \t]{{0,2}}[:=]|[ \t](?:{_ARE}))[ \t]{{1,3}}{_MARKS}" + BARE % 5,
        checks.told,
        ("Das Passwort ist ", "hunter2", ", bitte ändern"),
        "Das Passwort ist ungültig, le mot de passe est obligatoire, la contraseña es demasiado-corta, senha: string",
    ),
    assignment(
        _EAST,
        rf"(?:是|为|為|：|:|=|は|는|은|이)[ \t]{{0,3}}{_MARKS}" + _IN_ASCII,
        checks.unquoted,
        ("密码是 ", "hunter2", "，请修改"),
        "密码是8位以上的字符串, 密码：必填, パスワードは password です, 密码: string",
        _ASCII,
    ),
    assignment(
        _EAST,
        rf"[ \t]{{0,3}}{_MARKS}{_DIGIT_INSIDE}" + _IN_ASCII,
        made_up,
        ("数据库密码 ", "Kr4ken_tide-9917", " 只在本机用"),
        "密码 8-64 位, パスワード min-8-chars, 密码长度v2",
        _ASCII,
    ),
    assignment(
        (*ending(_SPOKEN, " "), "pw:"),
        rf"{_DIGIT_AHEAD}(?<![\w.-]pw[ :])(?:(?:{_WORD}[ \t]{{1,2}}){{0,5}}?{_VERB}|[ \t]{{0,2}}){_MARKS}{_DIGIT_INSIDE}"
        + BARE % 8,
        said,
        ("the redis pwd for eu is ", "Kr4ken_tide-9917", ", not more"),
        "password VARCHAR(255), the password hash is sha256-hashed, passwords from RetryHandler42 to db.internal:5432,"
        " password rule: required|min:8, the password was changed on 2024-05-01",
    ),
    Rule(
        "assignment",
        tuple(f" {verb} {of}{noun}" for verb in ("as", "is") for of in _OF for noun in ("password", "pw")),
        rf"[\x00-\xff]{{0,{_SENTENCE}}}?(?<![^\s\"'`*(\x80-\xff])(?P<secret>{_ASCII}{{8,64}}+)[\"'`*]{{0,3}} (?:as|is) [a-z ]{{0,4}}(?:password|pw)",
        ("log in with ", "Kr4ken_tide-9917", " as the password, then go on"),
        "use bcrypt-12 as password hash, RetryHandler42 is the password check",
        said,
        back=_SENTENCE,
    ),
    Rule(
        "high-entropy",
        (*PASSWORDS, *SECRETS),
        r"s?(?:[ \t]{1,2}[\w()]{1,12}(?![\w()])){0,3}+(?::\s{1,4}|[ \t:=\"'`*>|-]{1,6})"
        r"(?P<secret>[A-Za-z0-9_+/-]{20,}+={0,2})(?![\w.(/])",
        ("The Cloudflare API token (prod): ", "Zq81hdKw93hfLm20xVb7Tn5RyC4s", "\n"),
        "tokens in src/auth/AccessTokenRefreshHandler2 token getUserTokenFromRequestContext",
        checks.strong,
        after=True,
        spares=OPENS_NOTHING,
    ),
    Rule(
        "seed-phrase",
        ("mnemonic", "seed phrase", "seed_phrase", "recovery phrase", "seedphrase"),
        r"[\s:=\"'`]{1,8}(?P<secret>(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})(?![a-z])",
        ("mnemonic = '", "zebra orbit lemon quilt vivid amber tunnel rocket sadly maple fossil candy", "'"),
        "a mnemonic phrase is a list of words",
        after=True,
    ),
)
