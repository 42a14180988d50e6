"""Secrets given to commands and calls, and the flags that mean something else to another program."""

from __future__ import annotations

import pytest

from segue.redaction.redact import Redactor, redact_json

MIXED = "k2J9x81m44pqZt7RaB3dE5fG6hJ8kL0mN1pQ2rS3"
HEX = "3f9a0c7e51b2d846"

GOING = [
    # cookies
    ("`Cookie: sid=", MIXED, "`", "cookie"),
    ('curl --cookie "session=', MIXED, '" https://x.test', "cookie"),
    ("curl --cookie='sid=", MIXED, "' https://x.test", "cookie"),
    ("curl -s -b session=", MIXED, " https://x.test", "cookie"),
    ("curl https://x.test \\\n  -H 'A: b' \\\n  -b 'sid=", f"{MIXED}; theme=dark", "'", "cookie"),
    ("GET /a;jsessionid=", HEX.upper() * 2, "?page=2", "cookie"),
    ("PHPSESSID=", MIXED[:26], "; path=/", "cookie"),
    ('cookies={"session":"', MIXED, '"}', "cookie"),
    ("cookies = {'theme': 'dark', 'sessionid': '", MIXED, "'}", "cookie"),
    # names
    ("DB_PW=", "letmein", "\n", "assignment"),
    ("PW=", "letmein", " ./deploy.sh", "assignment"),
    ('"db_pw": "', "letmein", '"', "assignment"),
    ("'smtp_pw' => '", "letmein", "',", "assignment"),
    # commands
    ("keytool -list -keystore a.jks -storepass ", "hunter2", " -v", "command-password"),
    ("jarsigner -keypass ", "hunter2", " a.jar key", "command-password"),
    ("lftp -u 'bob,", "hunter2x", "' sftp://host", "command-password"),
    ('lftp --user "bob,', "hunter2x", '" sftp://host', "command-password"),
    ("http -a bob:", "hunter2", " https://x.test", "command-password"),
    ("https --auth bob:", "hunter2", " GET x.test", "command-password"),
    ("unzip -P ", "hunter2", " a.zip", "command-password"),
    ("zip -r -P '", "hunter2", "' a.zip dir", "command-password"),
    ("7z x -p", "hunter2", " a.7z", "command-password"),
    ("htpasswd -b users bob ", "hunter2", "\n", "command-password"),
    ("htpasswd -nbB bob ", "hunter2", " > users", "command-password"),
    ("htpasswd -B -b users bob ", "hunter2", "", "command-password"),
    ("smbclient //h/s -U bob%", "hunter2", " -c ls", "command-password"),
    ("sudo rabbitmqctl -n r@h add_user bob ", "hunter2", "\n", "command-password"),
    ("rabbitmqctl change_password bob ", "hunter2", "\n", "command-password"),
    ("gh secret set API -R a/b --body='", "hunter2", "'", "command-password"),
    ("gh secret set API -b ", "hunter2", "\n", "command-password"),
    ("aws secretsmanager create-secret --name x --secret-string ", "hunter2", "\n", "command-password"),
    ("setx DB_PASS ", "hunter2", "\n", "command-password"),
    ("set -gx DB_PW ", "letmein", "\n", "command-password"),
    # calls
    ("smtp.login('bob','", "hunter2", "')", "command-password"),
    ("requests.get(u, auth=('bob','", "hunter2", "'))", "command-password"),
    ('HTTPBasicAuth("bob", "', "letmein", '")', "command-password"),
    # hashes of passwords
    ("pbkdf2_sha256$600000$", f"a8Kd02mZ${MIXED}=", "", "password-hash"),
    ("pbkdf2:sha256:260000$", f"a8Kd02mZ${HEX * 4}", "", "password-hash"),
    ("SCRAM-SHA-256$4096:", f"a8Kd02mZq7Rt5Yw1${MIXED}=:{MIXED}=", "", "password-hash"),
    # sentences
    ("sign in as bob with ", "Kr4ken_tide-9917", ", then look", "assignment"),
    ("use user bob password ", "hunter2", "\n", "assignment"),
    ("", MIXED, " is the token for staging", "assignment"),
]


@pytest.mark.parametrize(
    ("before", "secret", "after", "kind"), GOING, ids=[f"{c[3]}-{i}" for i, c in enumerate(GOING)]
)
def test_what_is_given_to_a_command_vanishes(before: str, secret: str, after: str, kind: str) -> None:
    assert Redactor().redact(before + secret + after) == f"{before}[redacted:{kind}]{after}"


STAYING = [
    "docker run -p 8080:80 -p 443:443 nginx",
    "find . -name '*.zip' | xargs -P 4 unzip -o",
    "mkdir -p out/zip2 && ssh -p 2222 host && tar -P -xzf a2.tgz && grep -P '\\d+' f && rsync -P a2 b",
    "unzip -p app.zip file1.txt; zip -r out2.zip dir; 7z a -mx9 out2.7z dir; wget -P downloads2 u",
    'cookies={"theme":"dark","tz":"Europe/Berlin"}; cookies: { sameSite: "lax-2024-policy" }',
    'cookies={"session": os.environ["SESSION_2"]}',
    "curl -b cookies2.txt -c cookies2.txt https://x.test; git checkout -b feature=login2",
    "auth=('user','password') auth=('user', 'pass') HTTPBasicAuth(user, pw2)",
    'page.login("Username", "Password"); client.login(username, password2)',
    'gh secret set API --body "$API"; gh secret set API < api2.txt; --secret-string file://my2.json',
    "setx JAVA_HOME C:\\jdk17; set -x PATH /usr/bin2; setenv EDITOR vim9",
    "htpasswd -c users bob2000; smbclient -U bob //h/s2; rabbitmqctl set_user_tags bob administrator",
    "PHPSESSID=xxxxxxxxxxxxxxxxxxxx, the JSESSIONID cookie, pbkdf2_sha256 with 600000 iterations",
    "getpwnam(user) pw_uid=1000 self.pw = pw2 PW=$PW NPW=10000 pwm_pw: 1500",
    f"sha256sum {HEX * 4} out.zip -P; md5 {HEX * 2}",
    "sign in as bob with GitHub2, log in as bob with id_ed25519, log in as bob with two-factor-2024",
    "the user changed password policy2 today, user bob password required",
    "color.primary.500 is the token for buttons, abc-DEF-2024 is our key result",
]


@pytest.mark.parametrize("text", STAYING, ids=range(len(STAYING)))
def test_a_flag_of_another_meaning_stays(text: str) -> None:
    assert Redactor().redact(text) is text


@pytest.mark.parametrize("told", ["DB_PW=Kr4ken_tide-9917\n", 'db_pw = "Kr4ken_tide-9917"'])
def test_what_is_set_as_pw_is_learnt(told: str) -> None:
    redactor = Redactor()
    redactor.learn_from(told)
    assert redactor.learned == {"Kr4ken_tide-9917"}


def test_a_value_under_a_key_that_ends_in_pw_vanishes() -> None:
    given = {"db_pw": "hunter2", "pwm": "hunter2"}
    assert redact_json(given, Redactor()) == {"db_pw": "[redacted:assignment]", "pwm": "hunter2"}
