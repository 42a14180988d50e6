"""Secrets that are known by the name they are given to: settings, variables, flags.

Only the value goes; name, quotes and layout stay, so that code and JSON remain readable. The less the
form proves (`PASSWORD=x` in a shell against `token = x` in a program), the more the check asks of the
value. Names that go on with another noun (`token_url`, `secret_name`) speak of something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from segue.redaction import checks
from segue.redaction.random_values import chosen, drawn_key
from segue.redaction.rule import Check, Rule

_OF_KEYS = "api access secret private auth encryption signing master account shared subscription storage license admin app"

# `DB_PASS`, `dbPass` and `"pass"` are names of passwords; `bypass` and a test report's `PASS:` are not.
_PASS = "_pass -pass .pass \"pass 'pass dbpass userpass smtppass mailpass rootpass keypass storepass"
_PW = ("_pw", "-pw", '"pw', "'pw", "dbpw")
PASSWORDS = ("password", "passwd", "passphrase", "passwort", "passcode", "pwd", *_PASS.split(), *_PW)
KEYS = tuple(f"{of}{joint}key" for of in _OF_KEYS.split() for joint in ("_", "-", " ", ".", ""))
SECRETS = ("secret", "token", "credential", "credentials", *KEYS)
VARIABLES = tuple(name for name in (*PASSWORDS, *SECRETS) if not {"-", " ", "."} & set(name))
"""Names an environment variable can end with."""
COMMON = (
    *("password", "passwd", "passphrase", "secret", "token", "apikey"),
    *(f"{of}{joint}key" for of in ("api", "access", "secret") for joint in ("_", "-", " ")),
)
"""Names that turn up in the rarer forms too."""

_PLAIN_PASSWORDS = ("password", "passwd", "passphrase", "passcode", "pwd")

_OTHER_TOKENS = "next page lock change request creation idempotency starting continuation forward backward pagination publickey"


# Cursors and locks are called tokens and look random, and so do names of stored secrets; they open nothing.
OPENS_NOTHING = (
    *(f"{digit}:secret" for digit in range(10)),  # behind the number of an account
    *(f"{kind}{joint}token" for kind in _OTHER_TOKENS.split() for joint in ("", "-", "_")),
)
_WHICH = (
    "(?i:[0-9]{1,3}|value|prod|production|dev|staging|test|live|base64|b64|hex|raw|plain|new|old"
    "|primary|secondary|main|default|key|key_base|data)"
)
TAIL = f"(?:[-_]?{_WHICH}|For[A-Z][A-Za-z0-9]{{0,32}}|_for_[a-z0-9_]{{1,32}})?"
# Most words that name a secret stand in prose; this sends them away before anything dearer is tried.
_NOT_PROSE = r"(?![ \t]{1,8}[^:=!?< \t]|[\n.,;)?s])"
NO_VALUE = r"(?!s\b| (?!is\b|was\b)\w{1,11}[^\w+/~.-])"
CLOSE = r"(?:\\{0,3}[\"'`])?(?:\*{1,2}|__)?[\])]{0,2}"
"""What a name may end with: a quote, a bracket, the mark of an emphasis."""
_COLON = r":(?:\*{1,2}(?=[ \t]))?"
_STRINGS = r"(?:\(\s{0,24}(?=[bBrRuUfF]{0,2}[\"'][^\s\"']{4,256}+[\"']\s{0,24}[)bBrRuUfF\"']))?"
"""Opens brackets around a value of one string or several that make one."""
SET = (
    r"[ \t]{0,8}(?::[ \t]?[A-Za-z][\w.\[\]|]{0,24}[ \t]?=|=>|:=|<-|[!?]?={1,3}|"
    + _COLON
    + r"|：|＝)\s{0,12}"
    + _STRINGS
)
BARELY_SET = r"[ \t]{0,3}\\{0,2}(?:\??=(?!=)|" + _COLON + r"(?![:=])|：|＝)[ \t]{0,3}"
_IN_ENVIRONMENT = f"(?:(?<=[A-Z]=)|(?<=[A-Z]_){_WHICH}=)"
QUOTE = r"[bBrRuUfF]{0,2}(?:[\"'](?=\\))?(?P<q>\\{0,3}[\"'`])"
QUOTED = (
    r"(?P<secret>(?:(?!(?P=q))[^\s\\]|\\(?![\"'`])\S){%d,128}+)(?!\s(?!\s{0,33}[\w+/=-]{1,512}+(?P=q))|[ \t])"
)
NO_FIELD = r"(?!\\{0,3}[\"'`]\s{0,2}:)"
_IN_SHELL = r"(?P<secret>(?:[^\s\"'`;&|,<\\]|\\(?![nrt\"'`])|[;&|,](?![\s;&|]|$|\w+=)){4,128}+)"
ENDS = r"(?![(\[{<])"
_DOT = r"\.(?=[^\s\"'`,;\\])"
BARE = rf"(?P<secret>(?:[^\s\"'`,;&|<>(){{}}\[\]\\.]|{_DOT}|&(?![\s&#]|\w+[=;])){{%d,128}}+){ENDS}"
_BARE_TOKEN = rf"(?P<secret>(?:[^\s\"'`,;&|<>(){{}}\[\]\\.@]|{_DOT}){{8,128}}+){ENDS}"
_WIDE_COLONS = ("：".encode(), "＝".encode())
_END_OF_LINE = r"(?=[ \t]{0,8}(?:\\[rn]|\r?\n|\Z))"
_MARKED = r"\\{0,3}[\"'`]"
_RUN = r"(?:[A-Za-z0-9+/_~-]|\.(?=[A-Za-z0-9+/_~-]))"
_LINKS = (
    rf"[ \t]{{1,2}}(?P<mark>[\"'`])(?={_RUN}{{12,512}}+={{0,3}}(?P=mark))",
    r"[\"'`*]{0,2}[ \t]{1,3}(?:is|was)[ \t:]{1,3}[\"'`*]{0,3}",
    rf"{_MARKED},[ \t]{{0,3}}{_MARKED}(?:{_MARKED})?",
    rf"\([ \t]{{0,2}}{_MARKED}",
    rf"(?:{_MARKED})?>",
    rf"(?:{_MARKED})?</key>\s{{0,64}}<string>",
    rf"{_MARKED}\s{{1,8}}value={_MARKED}",
    rf"(?:{_MARKED})?[ \t]{{0,3}}\r?\n[ \t]{{1,32}}[Vv]alue:[ \t]{{1,3}}(?:{_MARKED})?",
    rf"`?[ \t]{{1,40}}\|[ \t]{{1,40}}`?(?={_RUN}{{12,512}}+={{0,3}}`?[ \t]{{1,80}}\|)",
    rf"[ \t](?={_RUN}{{12,512}}+={{0,3}}(?:[\s.,;)]|\Z))",
    r"\" \{[ \t]{0,8}(?:\r?\n[^{}\n]{0,80}){0,4}?\r?\n[ \t]{0,16}default[ \t]{0,12}=[ \t]{0,4}\"",
    rf"(?:[ \t]is)?:\*{{0,2}}(?:[ \t]{{0,8}}\r?\n){{1,2}}[ \t]{{0,16}}[\"'`*]{{0,3}}(?={_RUN}{{12,512}}+={{0,3}}[\"'`*]{{0,3}}{_END_OF_LINE})",
)
"""What joins a name to its value other than a colon or an equals sign: a verb, the next argument, brackets, tags, the next
field, cell or line, the default of a variable, a blank."""
DRAWN = rf"(?:{'|'.join(_LINKS)})(?P<secret>{_RUN}{{12,128}}+={{0,3}})(?=[\s\"'`\\<|,;.)A-Za-z0-9+/_~-]|\Z){NO_FIELD}"
"""A value that is joined to its name in any of these ways: they prove little, so that only one drawn at random is a secret."""

INSIDE_QUOTES = r"[^\s\"'`\\]"
OUTSIDE_QUOTES = r"[^\s\"'`,;&|<>(){}\[\]\\]"
CLOSED = ""
"""The rest of a value whose pattern demands what follows it."""


def ending(names: tuple[str, ...], *endings: str) -> tuple[str, ...]:
    return tuple(name + ending for name in names for ending in endings)


def assignment(
    anchors: tuple[str, ...],
    pattern: str,
    check: Check,
    example: tuple[str, str, str],
    lookalike: str,
    rest: str = OUTSIDE_QUOTES,
    spares: tuple[str, ...] = (),
    judge: Callable[[re.Match[bytes], str], bool] | None = None,
) -> Rule:
    return Rule(
        "assignment",
        anchors,
        pattern,
        example,
        lookalike,
        check,
        after=True,
        spares=spares,
        rest=rest,
        bare=rest == OUTSIDE_QUOTES,
        judge=judge,
    )


def _is_of(names: tuple[str, ...], found: re.Match[bytes]) -> bool:
    at = found.start()
    return found.string[max(0, at - 16) : at].lower().endswith(tuple(name.encode() for name in names))


def _in_environment(found: re.Match[bytes], value: str) -> bool:
    if _is_of(ending(PASSWORDS, "=", "_"), found):
        return True
    return (len(value) >= 8 or _is_of(("pw=",), found)) and checks.unnumbered(value)


def _in_quotes(found: re.Match[bytes], value: str) -> bool:
    if _is_of(PASSWORDS, found):
        return checks.password(value)
    is_constant = found.string[found.start() - 1 : found.start()].isupper()
    return len(value.replace("\\", "")) >= 8 and (checks.phrase if is_constant else checks.mixed)(value)


def _of_words(found: re.Match[bytes], value: str) -> bool:
    """Several words in quotes, behind the name of a password: as dice give them, or with one that is none."""
    if _is_of(("passphrase",), found):
        return len(value) >= 8
    if re.match(r"[a-z]{3,9}(?: [a-z]{3,9}){3,7}$", value):
        return checks.several_words(value)
    return re.match(r"\S{1,64}(?: \S{1,64}){1,3}$", value) is not None and checks.with_blanks(value)


def _bare(found: re.Match[bytes], value: str) -> bool:
    """Numbers and letters alone are a password's where nothing else stands on the line; nothing but a sentence has a wide
    colon before them, and no code gives letters with a capital inside to `--set x=…`."""
    joint = found.string[found.start() : found.start("secret")]
    after = found.string[found.end() : found.end() + 8].lstrip(b" \t")[:2]
    is_last = after in (b"\\n", b"\\r") or after[:1] in b"\r\n"
    of_plain = _is_of(_PLAIN_PASSWORDS, found)
    if value.isdigit() and of_plain:
        return len(value) <= 20 and (is_last or after[:1] in b",}]") and checks.numeric(value)
    if value.isascii() and value.isalpha():
        if is_last and joint.startswith((b": ", b"=")) and checks.password(value):
            return True
        is_word = joint == b"=" and len(value) > 5 and after[:1] not in b",;)}]([{<>&|\\."
        if of_plain and (is_word or joint.endswith(_WIDE_COLONS)) and checks.argument(value):
            return True
    return len(value) > 4 and checks.unquoted(value)


def _of_flag(found: re.Match[bytes], value: str) -> bool:
    return _is_of(_PLAIN_PASSWORDS, found) or checks.unquoted(value)


ASSIGNMENTS: tuple[Rule, ...] = (
    assignment(  # the environment
        (*ending(tuple(dict.fromkeys((*PASSWORDS, *VARIABLES))), "=", "_"), "pw="),
        f"(?:(?<![A-Za-z0-9]PW=)|(?<=DBPW=)){_IN_ENVIRONMENT}{_IN_SHELL}",
        checks.plain,
        ("API_KEY=", "zq81-hdkw-93hf", "\nPORT=8080"),
        "DB_PASSWORD=$DB_PASSWORD PASSWORD=changeme PASSWORD_FILE=/run/secrets/db PWD=/home/dev/project bypass=12ab"
        " PW=$PW NPW=correcthorse PW=changeme"
        " API_KEY=your-api-key-here TOKEN=<your token> MAX_TOKENS=40960000 SECRET_NAME=billing-db-login",
        judge=_in_environment,
    ),
    assignment(
        ending(VARIABLES, " "),
        r"(?<=[A-Z] )[ \t]{0,2}" + BARE % 8,
        checks.opaque,
        ("ENV NPM_TOKEN ", "zq81hdkw93hf", "\n"),
        "ARG NPM_TOKEN version2024 TOKEN --required",
    ),
    assignment(  # quoted values
        (*PASSWORDS, *SECRETS),
        _NOT_PROSE + TAIL + CLOSE + SET + QUOTE + QUOTED % 4,
        checks.plain,
        ("const apiKey: string = '", "k2j9-x81m-44pq", "';"),
        'password: "Password", password = "${DB_PASSWORD}", password_field = "pass1", <input type="password">,'
        ' token: "identifier", apiKey: "OPENAI_API_KEY", secretName: "tls-2024", nextToken: "AbC123dEf456GhI7",'
        " API_KEY = 'OPENAI_API_KEY', END_TOKEN = 'END_OF_INPUT', SECRET_NAME = 'orbit-lemon-quilt-vivid-amber'",
        INSIDE_QUOTES,
        OPENS_NOTHING,
        judge=_in_quotes,
    ),
    assignment(
        PASSWORDS,
        TAIL + CLOSE + r" ?[:=]\s{0,12}" + QUOTE + r"(?P<secret>(?:(?!(?P=q))[^\n\\]){5,256}+)(?=(?P=q))",
        checks.plain,
        ('{"password": "', "Kr4ken tide9917", '"}'),
        'passphrase: "the passphrase of your key", password: "please enter your password", password: "Passwort vergessen?",'
        ' password: "min 8 chars", "password": "must have 8 letters", password = "Forgot it?"',
        CLOSED,
        judge=_of_words,
    ),
    assignment(
        ("password '", "identified by '", 'identified by "'),
        r"(?P<secret>[^\s\"']{4,128}+)(?=[\"'])",
        checks.password,
        ("CREATE USER dev IDENTIFIED BY '", "letmein", "';"),
        "WITH PASSWORD 'password'",
        CLOSED,
    ),
    assignment(  # bare values
        PASSWORDS,
        _NOT_PROSE + TAIL + CLOSE + BARELY_SET + BARE % 4,
        checks.plain,
        ("host=db user=app password=", "hunter2", " sslmode=require"),
        "password = user.password password=None password: string password=password1 --- PASS: TestV1Retry_2 (0.05s)"
        " password: 1234, password = 12, PASSWORD: 2024-01-01 password：必填, password：required password: string\n"
        "password: Optional\npassword: true\npassword=dbPassword, f(password=userInput) password=PASSWORD ",
        judge=_bare,
    ),
    assignment(
        SECRETS,
        _NOT_PROSE + TAIL + CLOSE + BARELY_SET + _BARE_TOKEN,
        checks.opaque,
        ("client_secret: ", "9f2kd81mzq0x", "\n"),
        "token = tokens[0] token: u32 secret = get_secret(name) token=refreshTokenV2 secret: ${SECRET_9x2k4}",
        spares=OPENS_NOTHING,
    ),
    assignment(
        ending(("password", "pwd"), "="),
        r"(?P<secret>[^\s;,\"'`<>()\[\]\\]{4,256}+)(?=;[ \t]?[A-Z][A-Za-z ]{1,24}=|;?[\"']|[ \t][a-z_]{2,20}=)",
        checks.plain,
        ('"Server=db;User Id=sa;Password=', "letmein", ';Encrypt=true"'),
        '"Server=db;Password={password};Encrypt=true"',
        CLOSED,
    ),
    assignment(
        ("<pass>", "<pw>"),
        r"(?P<secret>[^\s<>]{8,1024}+)(?=</)",
        chosen,
        ("<user>bob</user><pass>", "Kd83jfPq2h", "</pass>"),
        "<pass>test_retry_2</pass> <pass>ShadowMapPass</pass> <pw>changeme</pw>",
        CLOSED,
    ),
    assignment(
        tuple(f"-{name}" for name in dict.fromkeys((*_PLAIN_PASSWORDS, *COMMON))),
        r"(?:=|[ \t]{1,3})[\"']?(?!-)" + BARE % 5,
        checks.argument,
        ("deploy --db-password ", "KqzRtWvbMn", " --region eu"),
        "--password string, --password-file ./pw, --password $PASS, --password=PASSWORD, --password newPassword, --db-password <value>,"
        " pass --token to the command, stale-token **detection**, --api-key $KEY, --token=TOKEN",
        spares=OPENS_NOTHING,
        judge=_of_flag,
    ),
    # any form
    assignment(
        (*PASSWORDS, *SECRETS),
        NO_VALUE + TAIL + DRAWN,
        drawn_key,
        ('client.set_signing_key("', "KqzRtWvbMnXyPlTr", '")'),
        "API key:\n  db-credentials-2024\ntoken getUserTokenFromRequest, secret 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        r"[A-Za-z0-9+/_=~.-]",
        OPENS_NOTHING,
    ),
)

MARK = r"\\{0,3}[\"'`]"
GAP = r"(?:\s|\\{1,3}[nrt]){0,64}+"
IS = rf"{GAP}(?:=>?|:){GAP}"
_SCALAR = rf"(?:{MARK}[^\"'`\n\\]{{0,200}}+{MARK}|[\w.+-]{{1,40}}+|\[[^\[\]]{{0,80}}+\])"
_FIELD = rf"(?:{MARK})?[A-Za-z_][\w.-]{{0,40}}+(?:{MARK})?{IS}{_SCALAR}{GAP}(?:[,;]{GAP})?"
OTHERS = rf"(?:{_FIELD}){{0,8}}?"
FIELDS = rf"(?:{GAP}[,;]|[ \t]{{0,8}}\r?\n){GAP}{OTHERS}"
"""What ends a field, and the other fields of the record before the one that is meant."""
VALUE = rf"(?:{MARK})?\w{{0,20}}?(?i:value)(?:{MARK})?{IS}"
VALUE_OR_DEFAULT = rf"(?:{MARK})?(?:\w{{0,20}}?(?i:value)|[Dd]efault)(?:{MARK})?{IS}"
_FLAGS = "sensitive masked issecret is_secret isencrypted secured httponly"
_FLAGGED = ending(tuple(_FLAGS.split()), '"', "'", '\\"')
_IS_FLAGGED = rf"(?i:{'|'.join(_FLAGS.split())})(?:{MARK})?{IS}(?i:true)\b"
_BEGINS = ending(("value",), '": "', '":"', '\\": \\"', '\\":\\"', "': '", ": '", ': "', ' = "')

# Records that call themselves sensitive need no name; of all others `pairs.py` finds the pairs.
RECORDS: tuple[Rule, ...] = (
    assignment(
        _BEGINS,
        rf"(?P<secret>{INSIDE_QUOTES}{{5,4096}}+)(?={MARK}{FIELDS}(?:{MARK})?{_IS_FLAGGED})",
        checks.credential,
        ('{"key": "RELAY", "value": "', "k2j9x81m44pq", '", "protected": true, "masked": true}'),
        '{"name": "theme", "value": "dark", "httpOnly": true}, {"value": "k2j9x81m44pq", "masked": false}',
        rest=CLOSED,
    ),
    assignment(
        _FLAGGED,
        rf"{IS}(?i:true)\b{FIELDS}{VALUE}{QUOTE}{QUOTED % 5}",
        checks.credential,
        ('"relay": {\n  "sensitive": true,\n  "type": "string",\n  "value": "', "k2j9x81m44pq", '"\n}'),
        '{"sensitive": true, "type": "string", "value": "eu-west"}, {"sensitive": false, "value": "k2j9x81m44pq"}',
    ),
)
