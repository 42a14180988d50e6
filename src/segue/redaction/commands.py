"""Secrets that are given to commands and calls: `mysql -p…`, `unzip -P …`, `smtp.login("bob", …)`.

A flag means a secret to one program and a port to the next, so each is known with its program.
"""

from __future__ import annotations

from segue.redaction import checks
from segue.redaction.rule import Rule

_WORD = r"[^\s\"'`]"
_GIVEN = r"[\"']?(?P<secret>[^\s\"'`$<-][^\s\"'`]{3,128})"
_PROGRAMS = "sshpass,redis-cli,ldapsearch,sqlcmd,mongosh,mongo,mongodump,cqlsh,mosquitto_pub,mosquitto_sub,mosquitto_rr"
_LOGINS = ("docker login", "podman login", "az login")
_OPTIONS = r"[ \t][^\n|;&]{0,200}?(?<=[ \t])"
_VARIABLE = r"\w{0,64}(?i:pass|password|passwd|pwd|pw|secret|token|key)"


def _rule(anchors: tuple[str, ...], pattern: str, example: tuple[str, str, str], lookalike: str) -> Rule:
    """A row for a secret that is an argument of its own."""
    return Rule("command-password", anchors, pattern, example, lookalike, checks.unnumbered, rest=_WORD)


COMMANDS: tuple[Rule, ...] = (
    Rule(
        "command-password",
        ("mysql", "mariadb"),
        r"(?:mysql|mariadb)[\w-]{0,16}[ \t][^\n|;&]{0,200}?(?<=[ \t])-p[\"']?(?P<secret>[^\s\"'`$<-][^\s\"'`]{2,128})",
        ("mysqldump -u root -p", "hunter2", " app"),
        "mysql -u root -p app, mysql -uroot -p$MYSQL_PWD",
        checks.plain,
        rest=_WORD,
    ),
    Rule(
        "command-password",
        (*(f"{program} " for program in _PROGRAMS.split(",")), *_LOGINS),
        r"(?:sshpass|redis-cli|docker login|podman login|az login|ldapsearch|sqlcmd|mongo(?:sh|dump)?|cqlsh|mosquitto_(?:pub|sub|rr))[ \t][^\n|;&]{0,200}?(?<=[ \t])-(?:p|P|a|w)[ \t]{0,2}[\"']?"
        r"(?P<secret>[^\s\"'`$<-][^\s\"'`]{3,128})",
        ("sshpass -p ", "hunter2", " ssh dev@host"),
        "redis-cli -p 6379 ping, docker login -p $TOKEN",
        checks.unnumbered,
        rest=_WORD,
    ),
    Rule(
        "command-password",
        ("curl ", "wget ", "http ", "https "),
        r"(?:curl|wget|https?)[ \t][^|]{0,200}?(?<=[ \t])(?:-u|--user|--proxy-user|-a|--auth)[ =]{0,2}[\"']?[^\s:\"'`/]{1,64}:(?P<secret>[^\s\"'`$<][^\s\"'`]{2,256})",
        ("curl -sS -u dev:", "hunter2", " https://api.test"),
        "curl -u $USER:$PASS https://host, curl -u user:password https://host",
        checks.url_password,
        rest=_WORD,
    ),
    Rule(
        "command-password",
        ("pass:",),
        r"(?<=[ \t\"'=])pass:(?P<secret>[^\s\"'`$<]{4,128})",
        ("openssl rsa -passin pass:", "hunter2", " -in key.pem"),
        "the tests pass: everything, -passin pass:$PASS",
        checks.plain,
        rest=_WORD,
    ),
    Rule(
        "command-password",
        ("echo ", "printf "),
        r"(?:echo|printf)[ \t](?:-[ne]{1,2}[ \t])?[\"']?(?P<secret>[^\s\"'`$<|]{4,256})[\"']?[ \t]?\|[ \t]?"
        r"(?:sudo[ \t]+(?:-\w[ \t]+)?-S|(?:docker|podman|gh|helm|npm|az)[ \t][^\n|]{0,80}(?:-stdin|--with-token)|(?:sudo[ \t]+)?chpasswd|passwd)",
        ("echo '", "hunter2", "' | sudo -S apt-get update"),
        "echo $TOKEN | docker login --password-stdin, echo done | sudo tee log",
        checks.plain,
    ),
    Rule(
        "command-password",
        ("convertto-securestring", "ssh-keygen ", "::add-mask::"),
        r"(?i:convertto-securestring(?:[ \t]+-string)?[ \t]+|ssh-keygen[ \t][^\n]{0,120}?(?<=[ \t])-n[ \t]+|::add-mask::)[\"']?(?P<secret>[^\s\"'`$<]{4,256})",
        ('ConvertTo-SecureString "', "hunter2", '" -AsPlainText -Force'),
        "ConvertTo-SecureString $plain, ssh-keygen -N '' -f key",
        checks.plain,
        rest=_WORD,
    ),
    _rule(
        ("storepass ", "keypass ", "--secret-string ", "--secret-string="),
        r"(?:storepass|keypass|--secret-string)(?:=|[ \t]{1,2})" + _GIVEN,
        ("keytool -list -keystore app.jks -storepass ", "letmein", " -v"),
        "keytool -storepass $PASS, -keypass:env KEY, --secret-string file://secret.json",
    ),
    _rule(
        ("zip ", "7z ", "7za ", "7zz ", "rar a ", "rar x "),
        rf"(?:(?<![a-z][a-z]g)zip{_OPTIONS}-P[ \t]{{1,2}}|(?:7z[az]?|rar){_OPTIONS}-h?p){_GIVEN}",
        ("unzip -o -P ", "letmein", " backup.zip"),
        "unzip -p app.zip file1.txt, zip -P $PASS a.zip, 7z x -p a.7z, 7z a -mx9 a.7z, zip list | xargs -P 4",
    ),
    _rule(
        ("htpasswd -",),
        r"htpasswd(?=[^\n;&|]{0,40}?[ \t]-[A-Za-z0-9]{0,6}b)(?:[ \t]{1,2}-[A-Za-z0-9]{1,8}(?:[ \t][0-9]{1,2})?){1,4}"
        r"[ \t]{1,2}(?:[^\s-]\S{0,128}[ \t]{1,2}){1,2}?[\"']?(?P<secret>[^\s\"'`$<-][^\s\"'`]{3,1024}+)(?=[\"'`)]{0,2}[ \t]{0,2}(?:[\n;&|>]|$))",
        ("htpasswd -bc /etc/nginx/users bob ", "letmein", " && nginx -s reload"),
        "htpasswd -c users bob2000, htpasswd -nb bob $PASS",
    ),
    _rule(
        ("rabbitmqctl ",),
        rf"rabbitmqctl[ \t][^\n|;&]{{0,80}}?(?:add_user|change_password|authenticate_user)[ \t]{{1,2}}\S{{1,64}}[ \t]{{1,2}}{_GIVEN}",
        ("rabbitmqctl add_user bob ", "letmein", " && rabbitmqctl list_users"),
        "rabbitmqctl add_user bob $PASS, rabbitmqctl set_user_tags bob administrator",
    ),
    _rule(
        ("smbclient ", "gh secret set "),
        rf"(?:smbclient{_OPTIONS}(?:-U|--user)[ \t=]{{0,2}}[\"']?[^\s%\"']{{1,64}}%|gh secret set{_OPTIONS}(?:-b|--body)[ \t=]{{1,2}}){_GIVEN}",
        ("smbclient //files/share -U bob%", "letmein", " -c ls"),
        'smbclient -U bob //files/share, gh secret set TOKEN --body "$TOKEN", gh secret set TOKEN < token.txt',
    ),
    Rule(
        "command-password",
        ("lftp ", "sqlplus "),
        rf"(?:lftp{_OPTIONS}(?:-u|--user)[ \t]{{1,2}}[^\s,\"'`]{{1,64}},|sqlplus{_OPTIONS}?[\"']?[\w$.-]{{1,64}}/)"
        r"[\"']?(?P<secret>[^\s\"'`$<-][^\s\"'`@]{3,128})",
        ("sqlplus -s app/", "letmein", "@//db:1521/X"),
        "sqlplus /nolog, sqlplus / as sysdba, sqlplus app@orcl, lftp -u bob,$PASS sftp://host, sqlplus app/$PASS@db",
        checks.unnumbered,
        rest=r"[^\s\"'`@]",
    ),
    _rule(
        ("net use ",),
        r"(?i:net use)[ \t][^\n|&]{0,120}?(?:/(?i:user):[^\s]{1,64}[ \t]{1,2}|(?=[^\n]{5,200}/(?i:user):)(?<=[ \t])(?<!use )(?![\\/*\"']|[A-Za-z]:(?:\s|$)))"
        r"[\"']?(?P<secret>[^\s\"'`$<%*/\\-][^\s\"'`]{3,128})",
        ("net use Z: \\\\srv\\share /user:bob ", "letmein", "\n"),
        "net use Z: \\\\srv\\share /user:bob *, net use Z: \\\\srv\\share /user:bob %PASS%, net use /delete Z:",
    ),
    Rule(
        "command-password",
        ("send ",),
        r"(?s:[\x00-\xff]{0,96}?)(?i:assword|assphrase|passcode|assw)[^\n]{0,40}?[\n{;]\s{0,12}(?:exp_)?send(?: -s| --){0,2} [\"{](?P<secret>[^\s\"\\$]{4,128})\\[rn]",
        ('expect "assword:"\nsend "', "letmein", '\\r"'),
        'expect "assword:"\nsend "$password\\r"\nexpect "$ "\nsend "exit\\r"\nplease send "mail\\n"',
        checks.plain,
        back=96,
    ),
    _rule(
        ("setx ", "setenv ", "set -x ", "set -gx ", "set -ux "),
        rf"(?:setx[ \t]{{1,2}}(?:/[mM][ \t])?|setenv[ \t]{{1,2}}|set -[gu]?x[ \t]{{1,2}})[\"']?{_VARIABLE}[\"']?[ \t]{{1,2}}{_GIVEN}",
        ("setx DB_PASS ", "letmein", "\n"),
        "setx DB_PASS %DB_PASS%\nsetx PATH C:\\tools2, set -x PASSWORD_FILE /run/secrets/db, setenv TOKEN $TOKEN",
    ),
    Rule(
        "command-password",
        ("auth=(", "auth = (", "basicauth(", "digestauth(", ".login(", ".auth("),
        r"(?i:(?:[a-z]{0,8}auth(?: ?= ?)?|\.login)\()\s{0,12}[\"'][^\"'\s]{1,128}[\"'],\s{0,12}[\"'](?P<secret>[^\s\"']{4,256}+)(?=[\"'])",
        ("requests.get(url, auth=('bob', '", "letmein", "'))"),
        "auth=('user', 'password'), HTTPBasicAuth(user, password), client.login('username', 'Password'), auth=('bob', os.environ['PW'])",
        checks.given,
    ),
)
