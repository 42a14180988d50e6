"""Secrets that are told in a sentence, in whatever language: `the password is …`, `Passwort …`, `密码是…`.

Where a verb or a colon says so, an adjective may still stand there; where the value merely follows the word,
or other words come between, only what nobody writes by chance is taken for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.model.patterns import compiled
from segue.redaction import checks
from segue.redaction.assignments import (
    BARE,
    OPENS_NOTHING,
    OUTSIDE_QUOTES,
    PASSWORDS,
    SECRETS,
    assignment,
    ending,
)
from segue.redaction.random_values import chosen, made_at_random, made_up, nameless, said, spoken
from segue.redaction.rule import Rule, Span
from segue.redaction.setting_lines import OTHER_KEYS

_WEST = """passwort kennwort contraseña senha palavra-passe wachtwoord hasło heslo lösenord adgangskode passord пароль
Пароль parola şifre"""
_ABROAD = ("mot de passe", "parola d'ordine", *_WEST.split())
_EAST = ("密码", "密碼", "口令", "パスワード", "비밀")
"""Languages that put no space between the word, the verb and the value. Of `비밀번호` the beginning: with the bytes of its
end the automaton would be twice as large."""
_WORD_ENDS = "(?:번호)?"
_SPOKEN = ("password", "passwd", "passphrase", "passcode", "pwd", "pw", "requirepass", *_ABROAD)

# In a set the bytes of a wide mark would be members each on its own, and those of other characters begin alike.
_MARKS = r"(?:[\"'`*]|«|“|„){0,3}"
_ARE = "is|was|now|to|ist|war|lautet|est|es|é|è|jest|är|er|je|—|–|-"
_WORD = r"[(\[]?[^\s:=()\[\]\"'`,;]{1,40}[)\]]?"
_VERB = rf"(?:(?:{_WORD})?[ \t]{{0,2}}(?:[:=]|->|=>|→)[ \t]{{0,3}}|(?:{_ARE})[ \t]{{1,3}})"
_DIGIT_INSIDE = r"(?=[^\s0-9]{0,40}+[0-9])"
_CAPITAL_INSIDE = r"(?=[^\sA-Z]{0,40}+[A-Z])"
# Most sentences about passwords tell none; this sends them away before the words are gone through.
_DIGIT_AHEAD = r"(?=[^\n0-9]{0,80}+[0-9])"
_OF = ("", "the ", "a ", "my ", "our ", "its ")
_SENTENCE = 72
"""Bytes before `as the password` in which it may stand."""
_PHRASES = ("passphrase", "pass phrase", "password", "passwd", "pword")
_LOGINS = tuple(
    f"{verb} {how} "
    for verb in ("log in", "login", "sign in", "logged in", "signed in")
    for how in ("as", "with")
)
_TOKENS = ("token", "key", "api key", "api token", "access token", "deploy token", "secret", "access key")
_PAIRS = ("credentials: ", "credentials are ", "creds: ", "creds are ", "login: ", "login is ", "logins: ")
_IS_OURS = (
    r" is (?:the|our|my) (?:[\w-]{1,16} ){0,3}(?:password|passwd|passphrase|passcode|pwd|pword|pw)"
    r"(?=[.,;:!)\n]|$| (?:for|on|of|in|at|and|but|now|until|there|here)\b)"
)
_SAID = (" is ", " was ", ": ")
_CLOSED = ""
_ASCII = r"[!#$%&*+\-/-9=?@A-Z^_a-z~]"
_IN_ASCII = rf"(?P<secret>{_ASCII}{{5,128}}+)"

_NAMES = ("password", "passwd", "passphrase", "passcode", "pwd", "pass", "kennwort")
_FOREIGN_ABOUT = (
    rf"[ \t](?:(?:für|der|des|de|del|da|do|di|voor|van|för|til|for|pour) (?:{_WORD}[ \t]{{1,2}}){{1,5}}?)?"
)
_FOREIGN_ARE = "is|ist|war|lautet|est|es|é|è|to|jest|je|är|er|—|–"
_SHORTEST, _LONGEST_ADJECTIVE = 8, 16
_ADJECTIVES = (
    "able ado aga ally alsch ant ante ary ata ated ato ecta ecto eerd ed eleer ellt elt ent ente ert esetzt est eur euse ful ght gt "
    "ht ible ida ido ig ing ional ire isch iskt ist ite ive ized kend ldig less lich ligt lijk los ly löst mış ness ne nden nte "
    "ntext oire orio oria orrect orretta osa oso ory ous rted sen siz sste sto sst sta suz tion tty tzt uis ufen uta uto vo va wrong "
    "xpired bar bile gal ldet lida lido missing lost hed text kort kurz korrekt lang"
)
_OF_TESTS = rb"(?:\A|[^A-Za-z_])pass \w+:? \Z"
_TOLD = (
    rf"(?P<open>{_MARKS})(?P<secret>(?:[^\s\"'`,;<>(){{}}\[\]\\\x80-\xff.:]|[.:](?=[^\s\"'`,;<\\])){{5,128}}+)"
    r"(?P<close>[\"'`*]{0,3})(?P<end>(?=[.:!]?[ \t]{0,8}(?:\\n|\r?\n|\Z)))?"
)


def _given_abroad(value: str) -> bool:
    """In a script without these letters no word of the sentence is written in them."""
    return checks.argument(value) or (len(value) >= _SHORTEST and spoken(value))


def _said_secret(found: re.Match[bytes]) -> Iterator[Span]:
    """What a verb says a password to be. Nothing but letters may be a word of the sentence as well: a secret is what is
    quoted or ends its line, and is no word that is said about passwords."""
    value = found["secret"].decode()
    start = found.start()
    is_of_tests = compiled(_OF_TESTS).search(found.string[max(0, start - 12) : start]) is not None
    is_sole = found["open"].strip(b"*") != b"" or (found["end"] is not None and not is_of_tests)
    if value.isdigit():
        is_secret = checks.numeric(value)
    elif value.strip("!?*").isalpha():
        is_adjective = (
            len(value) < _LONGEST_ADJECTIVE
            and value[1:].islower()
            and value.endswith(tuple(_ADJECTIVES.split()))
        )
        is_secret = is_sole and len(value) >= _SHORTEST and spoken(value) and not is_adjective
    else:
        judge = chosen if value[1:].islower() else spoken
        is_secret = checks.told(value) or (is_sole and len(value) >= _SHORTEST and judge(value))
    if is_secret:
        yield found.span("secret")


SENTENCES: tuple[Rule, ...] = (
    Rule(
        "assignment",
        ("pass: ", "pass is ", "pw: ", "pw is ", "pw=", "pw = "),
        rf"(?<![\w.-])(?:[Pp]ass(?:: | is )|(?:[Pp]w|PW)(?:: | is | ?= ?)){_MARKS}" + BARE % 5,
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
    Rule(
        "assignment",
        ending(("pword",), ": ", " is ", "=", " = "),
        rf"(?<![\w.-])(?:[Pp]word|PWORD)(?:: | is | ?= ?){_MARKS}" + BARE % 5,
        ("pword: ", "hunter2", "\n"),
        "pword: required, stopword: top100, pword = args.pword2",
        checks.told,
    ),
    assignment(
        ending(_PHRASES, ": ", " is ", "=", " = "),
        rf"{_MARKS}(?P<secret>[a-z]{{3,10}}(?:-[a-z]{{3,10}}){{3,7}}+)(?![\w-])",
        checks.joined_words,
        ("passphrase: ", "orbit-lemon-quilt-vivid", "\n"),
        "passphrase: read-from-the-keychain, the password is case-sensitive-and-long, password: team-billing-admin-login",
        _CLOSED,
    ),
    assignment(
        _LOGINS,
        rf"{_MARKS}[\w.@+-]{{2,40}}{_MARKS}(?:[ \t]?/[ \t]?|:){_MARKS}{_DIGIT_INSIDE}" + BARE % 6,
        checks.paired,
        ("log in as bob / ", "hunter2", ", then look"),
        "log in as admin / operator, log in with OAuth2/OIDC, log in as team/app-2, log in as dev@host:/srv/app2",
    ),
    assignment(
        _PAIRS,
        rf"{_MARKS}[\w.@+-]{{2,40}}{_MARKS}(?:[ \t]/[ \t]|:){_MARKS}{_DIGIT_INSIDE}" + BARE % 6,
        checks.paired,
        ("staging creds: bob / ", "hunter2", "\n"),
        "credentials: src/auth/provider2, creds: vault:kv_v2/app, credentials: bob / ask-him",
    ),
    assignment(
        _LOGINS,
        rf"{_MARKS}[\w.@+-]{{2,40}}{_MARKS} (?:with|using)(?: the password)? {_MARKS}{_CAPITAL_INSIDE}{_DIGIT_INSIDE}"
        + BARE % 8,
        said,
        ("sign in as bob with ", "Kr4ken_tide-9917", ", then look"),
        "log in as bob with OAuth2, sign in as admin with id_ed25519, log in as bob with two-factor-2024",
    ),
    assignment(
        ("user ",),
        r"(?=\S{2,44}+ p)"
        rf"{_MARKS}[\w.@+-]{{2,40}}{_MARKS},? (?:password|passwd|pwd|pw):? {_MARKS}{_DIGIT_INSIDE}(?P<secret>[^\s\"'`,;<>(){{}}\[\]\\]{{6,128}}+)"
        r"(?=[\"'`*]{0,3}[.,;)!]?[ \t]{0,3}(?:\n|$))",
        checks.paired,
        ("user bob password ", "hunter2", "\n"),
        "user bob password required, the user changed password policy2 today, user bob password v2/reset",
        _CLOSED,
    ),
    assignment(
        ("username ", "username: "),
        rf"{_MARKS}[\w.@+-]{{2,40}}{_MARKS},?(?: and| /)?(?: the)? (?:password|passwd|pass|pwd|pw):? {_MARKS}{_DIGIT_INSIDE}"
        + BARE % 6,
        checks.paired,
        ("username bob, password ", "hunter2", "\n"),
        "username bob, password required, username and password v2024",
    ),
    assignment(
        _EAST,
        rf"{_WORD_ENDS}(?:是|为|為|：|:|=|は|는|은|이)[ \t]{{0,3}}{_MARKS}" + _IN_ASCII,
        _given_abroad,
        ("密码是 ", "hunter2", "，请修改"),
        "密码是8位以上的字符串, 密码：必填, パスワードは password です, 密码: string",
        _ASCII,
    ),
    assignment(
        _EAST,
        rf"{_WORD_ENDS}[ \t]{{0,3}}{_MARKS}{_DIGIT_INSIDE}" + _IN_ASCII,
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
        "assignment",
        tuple(f" is {of} {noun}" for of in ("the", "our", "my") for noun in _TOKENS),
        rf"[\x00-\xff]{{0,{_SENTENCE}}}?(?<![^\s\"'`*(\x80-\xff])(?P<secret>{_ASCII}{{10,64}}+)[\"'`*]{{0,3}} is (?:the|our|my) (?:[a-z]{{3,6}} )?"
        r"(?:token|key|secret)(?=[.,;:!)\n]|$| (?:for|on|of|in|to)\b)",
        ("", "k2J9x81m44pqZt7R", " is the token for staging"),
        "user_id_2024 is the key for each row, color.primary.500 is the token for buttons, 3f9a0c7e51b2d846 is the key",
        made_at_random,
        back=_SENTENCE,
    ),
    Rule(
        "assignment",
        (" is the ", " is our ", " is my "),
        # Nearly all sentences that go on so are about something else: those are sent away first.
        rf"(?s:(?=.{{{_SENTENCE}}}{_IS_OURS})|(?=\A.{{0,{_SENTENCE}}}?{_IS_OURS}))"
        rf"[\x00-\xff]{{0,{_SENTENCE}}}?(?<![^\s\"'`*(\x80-\xff])(?P<secret>{_ASCII}{{6,64}}+)[\"'`*]{{0,3}}{_IS_OURS}",
        ("by the way ", "hunter2", " is the admin password."),
        "What is the admin password? RetryHandler42 is the new password check, this is our old password",
        checks.told,
        back=_SENTENCE,
    ),
    Rule(
        "high-entropy",
        (*PASSWORDS, *SECRETS),
        # Four words in a row are prose, which is sent away first.
        r"(?!(?:[ \t][a-z]{1,12}){4}[\s.,])s?(?:[ \t]{1,2}[\w()]{1,12}(?![\w()])){0,3}+(?::\s{1,4}|[ \t:=\"'`*>|-]{1,6})"
        r"(?P<secret>[A-Za-z0-9_+/-]{20,}+={0,2})(?![\w.(/])",
        ("The Cloudflare API token (prod): ", "Zq81hdKw93hfLm20xVb7Tn5RyC4s", "\n"),
        "tokens in src/auth/AccessTokenRefreshHandler2 token getUserTokenFromRequestContext",
        checks.strong,
        after=True,
        spares=OPENS_NOTHING,
    ),
    assignment(
        tuple(f"{noun} {of} " for noun in ("token", "key", "secret") for of in ("for", "of", "on")),
        rf"{_DIGIT_AHEAD}(?:{_WORD}[ \t]{{1,2}}){{0,4}}?(?:{_WORD}(?::|[ \t]{{1,2}}(?:is|=|->))[ \t]{{1,2}}){_MARKS}{_DIGIT_INSIDE}"
        + BARE % 10,
        made_at_random,
        ("the API key for our prod cluster is ", "k2J9x81m44pqZt7R", ", rotate it"),
        "the key for each row is user_id_2024, the token for the button: color.primary.500, token of v2 is 3.11.0-beta12",
    ),
    Rule(
        "assignment",
        ending(("key",), *_SAID),
        rf"(?<=[A-Za-z] )[Kk]ey(?: is| was|:)(?: now)? {_MARKS}" + BARE % 12,
        ("the cosmos key is ", "k2J9x81m44pqZt7R", ", rotate it"),
        "the cache key is k2J9x81m44pqZt7R, the row key is user_id_2024, the host key is 3f9a0c7e51b2d846, the key is unique",
        made_at_random,
        spares=ending(tuple(f"{other} key" for other in OTHER_KEYS), *_SAID),
        bare=True,
        rest=OUTSIDE_QUOTES,
    ),
    Rule(
        "assignment",
        ending(("pin",), ":", " is ", "=", " =", '":', "':"),
        r"(?<![A-Za-z0-9])(?:PIN|pin|Pin)(?:[\"']?[ \t]{0,2}[:=]| is)[ \t]{0,3}[\"'`*]{0,3}(?P<secret>[0-9]{4,8})(?![\w.:/-])",
        ("the PIN is ", "4821", ", ask me"),
        "pin: 12, pin = 1234, spin: 4821, pin: v4821, pin=2024-01-01, GPIO_PIN = 21",
        checks.numeric,
    ),
    Rule(
        "assignment",
        (" code: ", " code is ", "otp: ", "otp is ", "otp=", 'otp": ', " code ", "_code=", "2fa: ", "mfa: "),
        r"(?:(?<=2fa)|(?<=mfa)|(?<=2FA)|(?<=MFA)|(?<=OTP)|(?<=otp)|(?i:(?<=verification)|(?<=one-time)|(?<=security)|(?<=login)|(?<=auth)|(?<=backup)|(?<=recovery)|(?<=sms))|(?<![A-Za-z])(?=(?i:otp|[2m]fa:)))"
        r"(?i:[ _]code|otp|(?<![\w.-])[2m]fa(?=:))(?:[\"']?[ \t]{0,2}[:=]| is|(?<=[ _]code))[ \t]{0,3}[\"'`*]{0,3}(?P<secret>[0-9]{6,8})(?![\w.:/-])",
        ("your verification code is ", "482917", ", valid for 5 minutes"),
        "the exit code is 123457, error code: 404217, otp: string, verification code: 123456, status code is 500231",
        checks.numeric,
    ),
    Rule(
        "seed-phrase",
        ("mnemonic", "seed phrase", "seed_phrase", "recovery phrase", "seedphrase"),
        r"[\s:=\"'`]{1,8}(?P<secret>(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})(?![a-z])",
        ("mnemonic = '", "zebra orbit lemon quilt vivid amber tunnel rocket sadly maple fossil candy", "'"),
        "a mnemonic phrase is a list of words",
        after=True,
    ),
    Rule(
        "assignment",
        ending(
            _NAMES, *(f" {word} " for word in ["is", "was", "for", "of", "on", "in", "at"]), " is: ", " è "
        ),
        rf"(?:(?<=is )|(?<=was )|(?<=è )|(?<=is: )|(?:{_WORD}[ \t]{{1,2}}){{1,4}}?(?:is|was):?[ \t])(?:now |set to |still )?{_TOLD}",
        ("the root password for staging is ", "velvetharbor", ".\n"),
        "the password is required\nthe pass is complete, the password is currently\nthe password was compromised.",
        after=True,
        within=_said_secret,
    ),
    Rule(
        "assignment",
        _ABROAD,
        rf"[a-z\x80-\xff]{{0,4}}(?:{_FOREIGN_ABOUT}(?:{_FOREIGN_ARE})[ \t]?:?|[ \t]{{0,2}}[:=])[ \t]{{1,3}}{_TOLD}",
        ("Das Passwort lautet ", "velvetharbor", "\n"),
        "Das Passwort ist ungültig\nla contraseña es obligatoria\nmot de passe : incorrect\n",
        after=True,
        within=_said_secret,
    ),
)
