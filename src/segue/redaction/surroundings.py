"""Secrets that are known by the place they stand in: headers, addresses, files, key blocks.

What tells a reader what was there stays (scheme, user, host, parameter, the lines around a key block);
what opens the door goes.
"""

from __future__ import annotations

import re

from segue.redaction import checks
from segue.redaction.rule import Rule

_REST_OF_VALUE = r"[^\s\"'`,;<>\\]"
_PARAMETER = r"[^\s&#\"'`<>\\)\]]"
_API_HEADERS = (
    "x-api-key x-auth-token x-access-token x-gitlab-token private-token x-vault-token x-amz-security-token x-goog-api-key"
    " x-functions-key ocp-apim-subscription-key x-shopify-access-token x-figma-token circle-token dd-api-key"
    " dd-application-key x-auth-key x-csrf-token x-xsrf-token x-session-token x-github-token x-rapidapi-key"
)
_PARAMETERS = (
    "access_token refresh_token id_token auth_token token api_key apikey api-key sig signature secret client_secret"
    " password passwd pwd auth x-amz-signature x-amz-security-token x-goog-signature subscription-key code_verifier"
)


# A bot's token begins with its id, digits in base64. Ids from 4 on begin like parts of English words
# (`NTE`, `ODE`), which costs too much to look at; their tokens are known by what stands before them.
_DISCORD_IDS = tuple(f"{digit}{next_digit}" for digit in ("mt", "mj", "mz") for next_digit in "aeimquycgk")

_LINE_ENDS = r"(?:\\++[rn]|\s)++"
_LINE_NUMBER = r"(?:[0-9]{1,6}(?:\t|→|:|\|) ?)?"
"""Tools that show files number their lines; so may a key be numbered, in one of these ways."""
_KEY_BEGINS = rf"-----BEGIN [A-Z0-9 ]{{0,32}}PRIVATE KEY(?: BLOCK)?-----(?:{_LINE_ENDS}{_LINE_NUMBER})?"


_TOKEN = r"[A-Za-z0-9_.~-]{16,}$"
_LOGIN = 160
"""Bytes before the host in which a login stands where no scheme begins it."""


def _opens(found: re.Match[bytes], value: str) -> bool:
    """A password behind a login; alone, what looks drawn at random."""
    return found["login"] is not None or (re.match(_TOKEN, value) is not None and checks.opaque(value))


def _names(names: str) -> str:
    return "(?i:" + "|".join(names.split()) + ")"


SURROUNDINGS: tuple[Rule, ...] = (
    # headers
    Rule(
        "basic-auth",
        ("basic ",),
        r"(?i:basic)[ \t]{1,3}(?P<secret>[A-Za-z0-9+/]{8,1024}+={0,2})",
        ("WWW-Auth: Basic ", "ZGV2Omh1bnRlcjI=", "\n"),
        "basic authentication, Basic realm, basic configuration2",
        checks.user_and_password,
    ),
    Rule(
        "authorization",
        ("authorization",),
        r"(?i:authorization)[\"' \t:=,(\[\]\\]{1,10}(?i:bearer|basic|token|apikey|key|bot|digest|negotiate|ntlm)[ \t]{1,3}"
        rf"(?P<secret>{_REST_OF_VALUE}{{6,128}}+)",
        ('-H "Authorization: token ', "k2j9x81m44pq", '"'),
        'Authorization: Bearer <token>, "Authorization": `Bearer ${token}`, Authorization: Basic authentication',
        checks.credential,
        rest=_REST_OF_VALUE,
    ),
    Rule(
        "authorization",
        ("authorization",),
        rf"(?<![A-Za-z])(?i:authorization)[\"' \t:=,(\[\]\\]{{1,10}}(?!AWS4-)(?P<secret>{_REST_OF_VALUE}{{12,128}}+)",
        ("Authorization: ", "k2j9x81m44pqZt7", "\n"),
        "authorization: requiresAuthorization2 authorization/policies",
        checks.opaque,
        rest=_REST_OF_VALUE,
    ),
    Rule(
        "authorization",
        ("signature=",),
        r"(?<![\w?&-])(?i:signature)=(?P<secret>[0-9a-f]{64})(?![0-9a-f])",
        ("AWS4-HMAC-SHA256 SignedHeaders=host, Signature=", "3f9a0c7e51b2d846" * 4, ""),
        "signature=sha256",
    ),
    Rule(
        "bearer",
        ("bearer ",),
        r"(?i:bearer)[ \t]{1,3}(?P<secret>[A-Za-z0-9._~+/=-]{8,128}+)",
        ("curl -H 'X-Forwarded: Bearer ", "k2j9x81m44pq", "'"),
        "bearer authentication, Bearer <token>, Bearer $TOKEN, bearer token-based-login, Bearer YOUR_TOKEN_HERE",
        checks.unquoted,
        rest="[A-Za-z0-9._~+/=-]",
    ),
    Rule(
        "header",
        tuple(_API_HEADERS.split()),
        rf"{_names(_API_HEADERS)}(?:[\"'`]\s{{0,2}}[:=,]|:(?=[\s\"'`]))\s{{0,3}}[\"'`]?(?P<secret>{_REST_OF_VALUE}{{8,128}}+)",
        ('-H "X-Api-Key: ', "k2j9-x81m-44pq", '" https://api.test'),
        "X-API-Key: <key>, x-csrf-token: csrfToken, 'x-auth-token': getToken()",
        checks.mixed,
        rest=_REST_OF_VALUE,
    ),
    Rule(
        "discord-token",
        ("discord", ".login(", ".run(", "bot "),
        r"(?:(?i:discord)[^\n]{0,48}?|\.login\(|\.run\(|(?i:bot) )[\"'`]?(?<![\w.-])"
        r"(?P<secret>[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})(?![A-Za-z0-9_-])",
        ('client.login("', "MTk4NjIyNDgzNDcxOTI1MjQ4." + "Cl2FMQ." + "ZnCjm1XVW7vRze4b7Cq4se7kKWs", '")'),
        'client.login("username", discord.Message.content)',
    ),
    Rule(
        "discord-token",
        _DISCORD_IDS,
        r"(?<![\w+/=.-])M[Tjz][A-Za-z0-9_-]{21,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![\w.-])",
        ("config.json: ", "MTk4NjIyNDgzNDcxOTI1MjQ4." + "Cl2FMQ." + "ZnCjm1XVW7vRze4b7Cq4se7kKWs", "\n"),
        "MTkzRegistrationHandlers.Modern.configurationOfTheApplication",
        checks.scrambled,
    ),
    Rule(
        "twilio-key",
        ("twilio", "account_sid", "accountsid"),
        r"(?i:twilio|account_?sid)[^\n]{0,48}?(?<![A-Za-z0-9])(?P<secret>(?:AC|SK)?[0-9a-f]{32})(?![A-Za-z0-9])",
        ("twilio.Client('", "AC" + "3f9a0c7e51b2d846" * 2, "')"),
        "twilio account_sid: ACxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    ),
    Rule(
        "vault-token",
        ("vault",),
        r"(?i:vault)[^\n]{0,48}?(?<![\w.])(?P<secret>[sb]\.[A-Za-z0-9]{24})(?![\w.])",
        ("vault login ", "s." + "a8Kd02mZq7Rt5Yw1Xc9Ve3Bn", "\n"),
        "vault.read(s.path) vaults.configuration",
    ),
    # addresses
    Rule(
        "url-credential",
        ("://",),
        r"://(?P<login>[^\s/:@\"'`<>?#\\]{0,128}+:)?(?P<secret>[^\s/\"'`<>\\@]{1,4096}+(?:@[^\s/\"'`<>\\@]{1,256}+){0,2})@(?=[\w\[$.-])",
        ("postgres://app:", "hunter2", "@db.internal:5432/app"),
        "http://localhost:3000/@vite/client https://user:${PASS}@host https://user:password@host ssh://git@host:22/x"
        " https://continuous-integration@git.example/repo.git",
        checks.url_password,
        judge=_opens,
    ),
    Rule(
        "url-credential",
        ("://",),
        r"://[\w.%+~-]{0,64}+:(?P<secret>[^\s@/\"'`<>\\]{0,64}+[ /\"'`<>\\][^\n@]{0,64}+(?:@[^\s@]{1,64}+){0,2}?)"
        r"@(?=[A-Za-z0-9_\[][\w.:\]-]{0,128}(?:[/?#\s\"'`),;]|$))",
        ("amqp://svc:", "Y1t9/Gi{si", "@mq.internal:5672/app"),
        'http://localhost:3000/@vite/client ssh://host:22/a b@host "redis://cache:port", "me@host"'
        " https://user:${PASS}/x@host see http://host:path or mail bob@host",
        checks.odd_url_password,
    ),
    Rule(
        "url-credential",
        ("@tcp(", "@unix("),
        rf"[\x00-\xff]{{0,{_LOGIN}}}?(?<![^\s\"'`=(\[,])[\w.$-]{{1,64}}+:"
        r"(?P<secret>[^\s\"'`<>\\@]{1,128}+(?:@(?!tcp\(|unix\()[^\s\"'`<>\\@]{1,64}+){0,2})@(?:tcp|unix)\(",
        ('sql.Open("mysql", "app:', "hunter2", '@tcp(db:3306)/app")'),
        "user:password@tcp(localhost:3306)/db %s:%s@tcp(%s)/%s root:@tcp(db:3306)/app ${USER}:${PASS}@tcp(db)/app",
        checks.url_password,
        back=_LOGIN,
    ),
    Rule(
        "url-parameter",
        tuple(f"{mark}{name}=" for name in _PARAMETERS.split() for mark in "?&"),
        rf"[?&]{_names(_PARAMETERS)}=(?P<secret>{_PARAMETER}{{6,128}}+)",
        ("https://api.test/v1?user=dev&api_key=", "k2j9x81m44pq", "&page=2"),
        "?token=<token>&page=2 ?signature=required /search?token=identifier&sig=none",
        checks.unquoted,
        rest=_PARAMETER,
    ),
    Rule(
        "url-parameter",
        tuple(f"{mark}{name}=" for name in ("password", "passwd", "pwd") for mark in "?&"),
        rf"[?&](?i:password|passwd|pwd)=(?P<secret>{_PARAMETER}{{6,128}}+)",
        ("https://api.test/v1?user=dev&password=", "KqzRtWvbMn", "&page=2"),
        "?password=<password>&page=2 ?password=required&pwd=newPassword",
        checks.argument,
        rest=_PARAMETER,
    ),
    Rule(
        "url-parameter",
        ("?key=", "&key=", "?code=", "&code="),
        rf"[?&](?:key|code)=(?P<secret>{_PARAMETER}{{12,128}}+)",
        ("https://api.test/v1?key=", "k2j9x81m44pqZt7", "&page=2"),
        "?key=primary-color-2 &code=HTTP_404_NOT_FOUND",
        checks.opaque,
        rest=_PARAMETER,
    ),
    Rule(
        "connection-string",
        ("accountkey=", "sharedaccesskey=", "sharedaccesssignature=", "sharedsecretvalue="),
        r"(?i:accountkey|sharedaccesskey|sharedaccesssignature|sharedsecretvalue)=(?P<secret>[^\s;\"'`<>]{16,128}+)",
        ("AccountName=dev;AccountKey=", "a8Kd02mZq7Rt5Yw1Xc9Ve3Bn6Hj4Gf==", ";EndpointSuffix=core"),
        "AccountName=dev;AccountKey=<your-account-key>;",
        checks.plain,
        rest=r"[^\s;\"'`<>]",
    ),
    Rule(
        "aws-secret-key",
        (
            "secret_access_key",
            "secretaccesskey",
            "secret_key",
            "secretkey",
            "aws_secret",
            "secret access key",
        ),
        r"(?i:secret_access_key|secretaccesskey|secret_?key|aws_secret|secret access key)[\"'`\]]{0,2}[ \t]{0,3}[:=, ][ \t>]{0,3}[\"'`]?"
        r"(?P<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])",
        ("aws configure set aws_secret_access_key ", "a8Kd02mZq7Rt5Yw1Xc9V+3Bn6Hj4Gfa8Kd02mZ/q", ""),
        "secret_key = get_the_value_from_the_settings_manager_(x)",
        checks.key_material,
    ),
    # files
    Rule(
        "netrc",
        ("machine ",),
        r"machine\s{1,4}\S{1,128}\s{1,8}login\s{1,4}\S{1,128}\s{1,8}password\s{1,4}(?P<secret>\S{3,256}+)",
        ("machine api.test login dev password ", "hunter2", "\n"),
        "machine api.test login dev password <password>",
        checks.plain,
        rest=r"\S",
    ),
    Rule(
        "netrc",
        (":5432:", ":5433:", ":6432:"),
        r":[56]43[23]:[^:\s]{1,64}:[^:\s]{1,64}:(?P<secret>[^\s:]{3,256}+)",
        ("db.internal:5432:app:dev:", "hunter2", "\n"),
        "ports: 5432:5432:tcp",
        checks.plain,
        rest=r"\S",
    ),
    Rule(
        "registry-auth",
        ('"auth"', "_auth=", "_auth =", 'auth\\"'),
        r"(?:\\{0,3}\"auth\\{0,3}\"|auth\\{0,3}\"|_auth)[ \t]{0,2}[:=][ \t]{0,3}\\{0,3}\"?(?P<secret>[A-Za-z0-9+/]{8,1024}+={0,2})",
        ('{"auths":{"registry.test":{"auth": "', "ZGV2Omh1bnRlcjI=", '"}}}'),
        '"auth": "basic", "auth": "configured"',
        checks.user_and_password,
    ),
    Rule(
        "private-key",
        ("-----begin ",),
        _KEY_BEGINS
        + rf"(?P<secret>(?:[^-\\\s]++|{_LINE_ENDS}(?!{_LINE_NUMBER}-----)|\\++(?![rn])|-(?!----))++)"
        rf"(?:{_LINE_ENDS}{_LINE_NUMBER})?-----END ",
        (
            "-----BEGIN " + "OPENSSH PRIVATE KEY-----\n",
            "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\nAAAAtzc2gtZWQyNTUxOQAAACBrZXkta2V5LWtleQ==",
            "\n-----END OPENSSH PRIVATE KEY-----",
        ),
        "-----BEGIN " + r"PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----",
        checks.key_body,
    ),
    Rule(
        "private-key",
        ("-----begin ",),
        _KEY_BEGINS + rf"(?P<secret>(?:[A-Z][A-Za-z-]{{2,20}}: [^\n\\]{{1,80}}{_LINE_ENDS}){{0,4}}"
        rf"[A-Za-z0-9+/=]{{16,}}+(?:{_LINE_ENDS}{_LINE_NUMBER}[A-Za-z0-9+/=]{{16,}}+){{0,400}})",
        (
            "-----BEGIN " + "RSA PRIVATE KEY-----\n",
            "MIIEpAIBAAKCAQEA7vHqk9Zs\nd0dkw82jf93jfkd02jf0",
            "\n[… cut …]",
        ),
        "-----BEGIN " + "RSA PRIVATE KEY-----\nMIIE...\n",
        checks.certain,
    ),
    Rule(
        "private-key",
        ("private-lines:",),
        r"Private-Lines: [0-9]{1,3}\r?\n(?P<secret>[A-Za-z0-9+/=]{16,80}(?:\r?\n[A-Za-z0-9+/=]{16,80}){0,200}(?:\r?\n[A-Za-z0-9+/]{1,80}={1,2})?)",
        ("Private-Lines: 1\n", "AAAAgQDk93jf02kd8fj3kd02jf83jd0", "\nPrivate-MAC: 0"),
        "Private-Lines: 14 means fourteen lines",
        checks.certain,
    ),
)
