"""Secrets that are known by the name they are given to: settings, variables, flags, sentences.

Only the value goes; name, quotes and layout stay, so that code and JSON remain readable. The less the
form proves (`PASSWORD=x` in a shell against `token = x` in a program), the more the check asks of the
value. Names that go on with another noun (`token_url`, `secret_name`) speak of something else.
"""

from __future__ import annotations

from segue.redaction import checks
from segue.redaction.rule import Check, Rule

_KEYS_OF = "api access secret private auth encryption signing master account shared subscription storage license admin app"

PASSWORDS = ("password", "passwd", "passphrase", "passwort", "passcode", "pwd")
SECRETS = (
    *("secret", "token", "credential"),
    *(f"{of}{joint}key" for of in _KEYS_OF.split() for joint in ("_", "-", " ", "")),
)
VARIABLES = tuple(name for name in (*PASSWORDS, *SECRETS) if "-" not in name and " " not in name)
"""The names an environment variable can end with."""

_PASSWORD = "(?i:pass(?:word|wd|phrase|wort|code)|pwd)"
_SECRET = f"(?i:secret|token|credentials?|(?:{_KEYS_OF.replace(' ', '|')})[-_ ]?key)"
_EITHER = f"(?:{_PASSWORD}|{_SECRET})"
# `DB_PASS`, `dbPass` and `"pass"` are names of passwords; `bypass` and a test report's `PASS:` are not.
_SHORT_PASSWORD = "(?:(?<=[_\"'-])(?i:pass)|(?<=[a-z])Pass|(?<=DB)PASS)"
# Pagination cursors are called tokens and look like secrets; they open nothing.
_NO_CURSOR = "".join(
    f"(?<!{word})(?<!{word}[-_])" for word in ("next", "Next", "NEXT", "page", "Page", "PAGE")
)

_TAIL = (
    "(?i:[-_]?(?:[0-9]{1,3}|value|prod|production|dev|staging|test|live|base64|b64|hex|raw|plain|new|old"
    "|primary|secondary|main|default|key|key_base|data))?"
)
_CLOSE = r"(?:\\{0,3}[\"'`])?[\])]{0,2}"
_SET = r"[ \t]{0,8}(?::[ \t]?[A-Za-z][\w.\[\]|]{0,24}[ \t]?=|=>|:=|!?={1,3}|:)\s{0,12}"
_BARELY_SET = r"[ \t]{0,3}(?:=(?!=)|:(?![:=]))[ \t]{0,3}"
_QUOTE = r"[bBrRuUfF]{0,2}(?P<q>\\{0,3}[\"'`])"
_QUOTED = r"(?P<secret>(?:(?!(?P=q))[^\s\\]|\\(?![\"'`])\S){%d,128}+)(?!\s)"
_IN_SHELL = r"(?P<secret>(?:[^\s\"'`;&|,<\\]|\\(?![nrt\"'`])|[;&|,](?![\s;&|]|$|\w+=)){%d,128}+)"
_BARE = (
    r"(?P<secret>(?:[^\s\"'`,;&|<>(){}\[\]\\.]|\.(?=[^\s\"'`,;\\])|&(?![\s&]|\w+[=;])){%d,128}+)(?![(\[{<])"
)
_BARE_TOKEN = r"(?P<secret>(?:[^\s\"'`,;&|<>(){}\[\]\\.@]|\.(?=[^\s\"'`,;\\])){%d,128}+)(?![(\[{<])"
_END_OF_LINE = r"(?=[ \t]{0,8}(?:\\[rn]|\r?\n|\Z))"


def _capitals(names: str) -> str:
    """The same alternatives as an environment variable spells them."""
    return names.replace("(?i:", "(?:").upper()


def _ending(names: tuple[str, ...], *endings: str) -> tuple[str, ...]:
    return tuple(name + ending for name in names for ending in endings)


def _assignment(
    anchors: tuple[str, ...], pattern: str, check: Check, example: tuple[str, str, str], lookalike: str
) -> Rule:
    rest = r"[^\s\"'`\\]" if "(?P<q>" in pattern else r"[^\s\"'`,;&|<>(){}\[\]\\]"
    return Rule("assignment", anchors, pattern, example, lookalike, check, rest=rest)


ASSIGNMENTS: tuple[Rule, ...] = (
    # the environment
    _assignment(
        (*_ending(PASSWORDS, "=", "_"), "pass="),
        f"(?:{_capitals(_PASSWORD)}{_TAIL}|{_SHORT_PASSWORD})={_IN_SHELL % 4}",
        checks.plain,
        ("export PGPASSWORD=", "correcthorse", "; psql"),
        "DB_PASSWORD=$DB_PASSWORD PASSWORD=changeme PASSWORD_FILE=/run/secrets/db PWD=/home/dev/project bypass=12ab",
    ),
    _assignment(
        _ending(VARIABLES, "=", "_"),
        f"{_capitals(_SECRET)}{_TAIL}={_IN_SHELL % 8}",
        checks.unnumbered,
        ("API_KEY=", "zq81-hdkw-93hf", "\nPORT=8080"),
        "API_KEY=your-api-key-here TOKEN=<your token> MAX_TOKENS=40960000 SECRET_NAME=billing-db-login",
    ),
    _assignment(
        _ending(VARIABLES, " "),
        f"{_capitals(_EITHER)}[ \\t]{{1,3}}{_BARE % 8}",
        checks.opaque,
        ("ENV NPM_TOKEN ", "zq81hdkw93hf", "\n"),
        "ARG NPM_TOKEN version2024 TOKEN --required",
    ),
    _assignment(
        ("_key=",),
        "(?<!PUBLIC)(?<!PRIMARY)(?<!CACHE)(?<!SORT)(?<!HASH)_KEY=[\"']?" + _BARE % 16,
        checks.opaque,
        ("STRIPE_KEY=", "zq81hdkw93hfLm20", "\n"),
        "CACHE_KEY=zq81hdkw93hfLm20 SORT_KEY=created_at_2024_desc",
    ),
    # quoted values
    _assignment(
        (*PASSWORDS, "pass=", "pass:", 'pass"', "pass'", "pass ="),
        f"(?:{_PASSWORD}{_TAIL}|{_SHORT_PASSWORD})" + _CLOSE + _SET + _QUOTE + _QUOTED % 4,
        checks.password,
        ('{"password": "', "hunter2", '", "user": "dev"}'),
        'password: "Password", password = "${DB_PASSWORD}", password_field = "pass1", <input type="password">',
    ),
    _assignment(
        SECRETS,
        _NO_CURSOR + _SECRET + _TAIL + _CLOSE + _SET + _QUOTE + _QUOTED % 8,
        checks.mixed,
        ("const apiKey: string = '", "k2j9-x81m-44pq", "';"),
        'token: "identifier", apiKey: "OPENAI_API_KEY", secretName: "tls-2024", nextToken: "AbC123dEf456GhI7"',
    ),
    _assignment(
        _ending(VARIABLES, " =", "=", ":"),
        _capitals(_SECRET) + _TAIL + r"[ \t]{0,3}[:=][ \t]{0,3}" + _QUOTE + _QUOTED % 8,
        checks.phrase,
        ("SESSION_SECRET = '", "orbit-lemon-quilt-vivid-amber", "'"),
        "API_KEY = 'OPENAI_API_KEY', END_TOKEN = 'END_OF_INPUT', SECRET_NAME = 'orbit-lemon-quilt-vivid-amber'",
    ),
    _assignment(
        ("passphrase",),
        r"(?i:passphrase)" + _CLOSE + _SET + _QUOTE + r"(?P<secret>(?:(?!(?P=q))[^\n\\]){8,256}+)(?=(?P=q))",
        checks.plain,
        ('passphrase: "', "orbit lemon quilt 7", '"'),
        'passphrase: "the passphrase of your key"',
    ),
    _assignment(
        PASSWORDS,
        _PASSWORD + _CLOSE + _SET + _QUOTE + r"(?P<secret>[a-z]{3,9}(?: [a-z]{3,9}){3,7})(?=(?P=q))",
        checks.several_words,
        ("password = '", "orbit lemon quilt vivid", "'"),
        'password: "please enter your password", password: "must have eight letters"',
    ),
    _assignment(
        _ending(VARIABLES, '"', "'", '\\"'),
        f"(?<=_){_capitals(_EITHER)}{_TAIL}" + r"\\{0,3}[\"'],[ \t]{0,3}" + _QUOTE + _QUOTED % 4,
        checks.password,
        ("define('DB_PASSWORD', '", "hunter2", "');"),
        'os.getenv("API_KEY", "unset") ["TOPSECRET", "supersecret1"] os.getenv("TOKEN", "")',
    ),
    _assignment(
        _ending(SECRETS, '"', "'", '\\"'),
        _SECRET + r"\\{0,3}[\"'],[ \t]{0,3}" + _QUOTE + _QUOTED % 8,
        checks.opaque,
        ('config.set("api_key", "', "zq81hdkw93hf", '")'),
        '["api_key", "api_version_2"]',
    ),
    _assignment(
        _ending((*PASSWORDS, *SECRETS), '" value', "' value"),
        _EITHER + r"[\"'][ \t]{1,3}value[ \t]?=[ \t]?" + _QUOTE + _QUOTED % 5,
        checks.unquoted,
        ('<input type="password" value="', "hunter2", '">'),
        'name="token" value="{{ csrf }}", type="password" value="submit"',
    ),
    _assignment(
        _ending(("password", "passphrase", "token", "secret", "apikey", "api_key"), "("),
        _EITHER + r"\([ \t]{0,2}" + _QUOTE + _QUOTED % 6,
        checks.mixed,
        ('client.setPassword("', "s3cr3t-horse", '");'),
        'getSecret("billing-database"), user.password("new"), verify_token("access")',
    ),
    _assignment(
        ("password '", "identified by '", 'identified by "', "password by '"),
        r"(?i:password|identified by|password by)[ \t]{1,3}[\"'](?P<secret>[^\s\"']{4,128}+)(?=[\"'])",
        checks.password,
        ("CREATE USER dev IDENTIFIED BY '", "letmein", "';"),
        "WITH PASSWORD 'password'",
    ),
    # bare values
    _assignment(
        (*PASSWORDS, "pass=", "pass:"),
        f"(?:{_PASSWORD}{_TAIL}|{_SHORT_PASSWORD})" + _CLOSE + _BARELY_SET + _BARE % 5,
        checks.unquoted,
        ("host=db user=app password=", "hunter2", " sslmode=require"),
        "password = user.password password=None password: string password=password1 --- PASS: TestV1Retry_2 (0.05s)",
    ),
    _assignment(
        ("pass: ", "pw: ", "pass is ", "pw is "),
        r"(?<![\w.-])(?:[Pp]ass|[Pp]w|PW)(?:: | is )" + _BARE % 5,
        checks.spoken,
        ("user: admin pass: ", "hunter2", "\n"),
        "--- PASS: TestV1Retry2 (0.05s)\npass: test_retry_2\n",
    ),
    _assignment(
        SECRETS,
        _NO_CURSOR + _SECRET + _TAIL + _CLOSE + _BARELY_SET + _BARE_TOKEN % 8,
        checks.opaque,
        ("client_secret: ", "9f2kd81mzq0x", "\n"),
        "token = tokens[0] token: u32 secret = get_secret(name) token=refreshTokenV2 secret: ${SECRET_9x2k4}",
    ),
    _assignment(
        _ending(PASSWORDS, ":", "="),
        _PASSWORD + r"(?::[ \t]{1,4}|=)(?P<secret>[A-Za-z]{4,64}+)" + _END_OF_LINE,
        checks.password,
        ("  POSTGRES_PASSWORD: ", "postgres", "\n"),
        "password: string\npassword: Optional\npassword: true\nPassword: Required\n",
    ),
    _assignment(
        _ending(("password", "pwd"), "="),
        r"(?i:password|pwd)=(?P<secret>[^\s;\"'`<>\\]{4,128}+)(?=;[ \t]?[A-Z][A-Za-z ]{1,24}=|;?[\"']|[ \t][a-z_]{2,20}=)",
        checks.plain,
        ('"Server=db;User Id=sa;Password=', "letmein", ';Encrypt=true"'),
        '"Server=db;Password={password};Encrypt=true"',
    ),
    _assignment(
        _ending((*PASSWORDS, "secret", "token", "api_key"), "\n", '"\n', "\r\n"),
        _EITHER + r"\"?\r?\n[ \t]{1,32}value:[ \t]{1,3}[\"']?(?P<secret>[^\s\"'{<$]{4,128}+)",
        checks.plain,
        ("- name: DB_PASSWORD\n  value: ", "letmein99", "\n- name: PORT"),
        "- name: DB_PASSWORD\n  value: changeme\n",
    ),
    _assignment(
        _ending((*PASSWORDS, *SECRETS), ">"),
        _EITHER + r">(?P<secret>[^\s<>]{4,128}+)</",
        checks.plain,
        ("<password>", "letmein99", "</password>"),
        "<password>${repo.password}</password> <token>your-token</token>",
    ),
    _assignment(
        tuple(f"-{name}{joint}" for name in (*PASSWORDS, *SECRETS) for joint in " ="),
        "-" + _EITHER + r"(?:=|[ \t]{1,3})[\"']?(?!-)" + _BARE % 5,
        checks.unquoted,
        ("deploy --api-token ", "k2j9x81m44pq", " --region eu"),
        "pass --token to the command, --password-file ./pw, stale-token **detection**, --api-key $KEY, --token=TOKEN",
    ),
    # sentences
    _assignment(
        _ending((*PASSWORDS, *SECRETS), " is ", " was "),
        _EITHER + r"[ \t](?:is|was)[ \t](?:now[ \t]|set to[ \t])?[\"'`*]{0,3}" + _BARE % 6,
        checks.unquoted,
        ("the admin password is ", "hunter2!x", ", please change it"),
        "the token is valid, the password is required, the secret is my-app-secret-1",
    ),
    Rule(
        "high-entropy",
        (*PASSWORDS, *SECRETS),
        _NO_CURSOR + _EITHER + r"s?(?:[ \t]{1,2}[\w()]{1,12}){0,3}[\s:=\"'`*>|-]{1,6}"
        r"(?P<secret>[A-Za-z0-9_+/-]{20,128}+={0,2})(?![\w.(/])",
        ("The Cloudflare API token (prod): ", "Zq81hdKw93hfLm20xVb7Tn5RyC4s", "\n"),
        "tokens in src/auth/AccessTokenRefreshHandler2 token getUserTokenFromRequestContext",
        checks.strong,
        rest="[A-Za-z0-9_+/=-]",
    ),
    Rule(
        "seed-phrase",
        ("mnemonic", "seed phrase", "seed_phrase", "recovery phrase", "seedphrase"),
        r"(?i:mnemonic|seed[ _]?phrase|recovery phrase)[\s:=\"'`]{1,8}"
        r"(?P<secret>(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})(?![a-z])",
        ("mnemonic = '", "zebra orbit lemon quilt vivid amber tunnel rocket sadly maple fossil candy", "'"),
        "a mnemonic phrase is a list of words",
    ),
)
