"""What must vanish, as it turns up in sessions: logs, settings, commands, code, conversation.

Secrets are built from parts, so that no scanner takes this file for a leak. Each case says what stands
before the secret and after it; both must come through untouched.
"""

from __future__ import annotations

import pytest

from segue.redaction.redact import Redactor

MIXED = "a8Kd02mZq7Rt5Yw1Xc9Ve3Bn6Hj4Gf"
HEX = "3f9a0c7e51b2d846"
UPPER = "Q7ZK2M5XRB4TWL3H"
UUID = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
PEM_LINE = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n"

CASES = [
    # tokens where they are found
    ("remote: https://", "gh" + "p_" + MIXED + MIXED[:6], "@github.com/acme/app.git (fetch)", "github-token"),
    ("git log: fixed by gho ", "gh" + "o_" + MIXED + MIXED[:6], ".", "github-token"),
    ("GITHUB_TOKEN=", "gh" + "s_" + MIXED + MIXED[:6], " gh pr list", "github-token"),
    ("| token | `", "github" + "_pat_" + MIXED[:22] + "_" + MIXED + MIXED[:29], "` |", "github-token"),
    ("PRIVATE-TOKEN: ", "gl" + "pat-" + MIXED[:20], "\n", "gitlab-token"),
    ("runner registered with ", "gl" + "rt-" + MIXED[:20], "\n", "gitlab-token"),
    ("slack: ", "xo" + "xb-123456789012-1234567890123-" + MIXED[:24], "\n", "slack-token"),
    ("user token ", "xo" + "xp-123456789012-123456789012-" + HEX, ",", "slack-token"),
    (
        "curl -X POST https://hooks.slack.com/services/",
        f"T{UPPER[:8]}/B{UPPER[:10]}/{MIXED[:24]}",
        " -d '{}'",
        "slack-webhook",
    ),
    ("Stripe(", "sk" + "_live_" + MIXED[:24], ")", "stripe-key"),
    ("restricted ", "rk" + "_live_" + MIXED[:24], "\n", "stripe-key"),
    ("stripe listen > ", "wh" + "sec_" + MIXED, " (^C to quit)", "webhook-secret"),
    ("OpenAI(api_key='", "sk" + "-" + MIXED + MIXED[:18], "')", "api-key"),
    ("OPENAI_API_KEY: ", "sk" + "-proj-" + MIXED + "_" + MIXED, "\n", "openai-key"),
    ("x-api-key: ", "sk" + "-ant-api03-" + MIXED + "-" + MIXED, "\n", "anthropic-key"),
    ("openrouter ", "sk" + "-or-v1-" + HEX * 4, "\n", "openrouter-key"),
    ("deepseek ", "sk" + "-" + HEX * 2, "\n", "api-key"),
    (
        '<script src="https://maps.test/js?key=',
        "AI" + "zaSy" + MIXED + MIXED[:3],
        '"></script>',
        "google-api-key",
    ),
    ("client secret ", "GOC" + "SPX-" + MIXED[:28], "\n", "google-oauth-secret"),
    ("gcloud auth print-access-token\n", "ya" + "29.a0" + MIXED * 3, "\n", "google-access-token"),
    ("//registry.npmjs.org/:_authToken=", "np" + "m_" + MIXED + MIXED[:6], "\n", "npm-token"),
    ("twine upload -u __token__ -p ", "py" + "pi-AgEIcHlwaS5vcmc" + MIXED * 3, " dist/*", "pypi-token"),
    ("huggingface-cli login --token ", "h" + "f_" + MIXED + MIXED[:4], "\n", "huggingface-token"),
    ("doctl auth init -t ", "dop" + "_v1_" + HEX * 4, "\n", "digitalocean-token"),
    ("SENDGRID ", "S" + "G." + MIXED[:22] + "." + MIXED + MIXED[:13], "\n", "sendgrid-key"),
    ("api:", "k" + "ey-" + HEX * 2, " mailgun", "mailgun-key"),
    ("https://api.telegram.org/bot987654321:", "AA" + MIXED + MIXED[:3], "/sendMessage", "telegram-token"),
    (
        "await fetch('https://discord.com/api/webhooks/112233445566778899/",
        MIXED + MIXED + MIXED[:8],
        "')",
        "discord-webhook",
    ),
    ("found in config: ", "MTk4NjIyNDgzNDcxOTI1MjQ4." + "Cl2FMQ." + MIXED[:27], "\n", "discord-token"),
    ('"', "MTA5NjIyNDgzNDcxOTI1MjQ4MQ." + "GYdZ2a." + MIXED + MIXED[:8], '",', "discord-token"),
    ("segue serve\ntoken: ", "seg" + "ue_" + MIXED + "-_" + MIXED[:11], "\n", "segue-token"),
    ("curl -H 'Authorization: Bearer ", "seg" + "ue_" + MIXED + MIXED[:13], "' host", "segue-token"),
    ("Das Passwort ist ", "hunter2", ".", "assignment"),
    ("Kennwort: ", "g3heim!x", "\n", "assignment"),
    ("密码是 ", "hunter2", "", "assignment"),
    ("数据库密码为", "hunter2", "，不要提交。", "assignment"),
    ("パスワードは", "hunter2", "です", "assignment"),
    ("비밀번호는 ", "hunter2", "입니다", "assignment"),
    ("le mot de passe est ", "s3same-ouvre", ", merci", "assignment"),
    ("mot de passe : ", "s3same", "\n", "assignment"),
    ("la contraseña es ", "s3samo", " por ahora", "assignment"),
    ("a senha é ", "abre77te", ".", "assignment"),
    ("Пароль: ", "hunter2", "\n", "assignment"),
    ("hasło to ", "hunter2", "\n", "assignment"),
    ("bot.run('", "MTk4NjIyNDgzNDcxOTI1MjQ4." + "Cl2FMQ." + MIXED[:27], "')", "discord-token"),
    (
        "id_token: ",
        "ey" + "JhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0." + MIXED + MIXED,
        "\n",
        "jwt",
    ),
    ("jwe ", "ey" + "JhbGciOiJkaXIifQ.." + MIXED[:16] + "." + MIXED + "." + MIXED[:22], "\n", "jwt"),
    (
        "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=",
        MIXED * 2 + "==",
        ";EndpointSuffix=core.windows.net",
        "connection-string",
    ),
    (
        "Endpoint=sb://acme.test/;SharedAccessKeyName=Root;SharedAccessKey=",
        MIXED + "=",
        "\n",
        "connection-string",
    ),
    (
        "https://acme.blob.test/c?sv=2022-11-02&sp=r&sig=",
        "k2J9x81m44pq%2FZt7%2B0w%3D",
        "&se=2026",
        "url-parameter",
    ),
    ("az ad sp: ", "a8K" + "8Q~" + MIXED + MIXED[:4], "\n", "azure-client-secret"),
    ("DATABRICKS ", "da" + "pi" + HEX * 2, "\n", "databricks-token"),
    ("supabase login --token ", "sb" + "p_" + HEX * 2 + HEX[:8], "\n", "supabase-token"),
    ("netlify deploy --auth ", "nf" + "p_" + MIXED + MIXED[:6], "\n", "netlify-token"),
    ('BLOB_READ_WRITE_TOKEN="', "vercel" + "_blob_rw_" + MIXED, '"\n', "vercel-token"),
    ("Linear ", "lin" + "_api_" + MIXED + MIXED[:10], "\n", "linear-key"),
    ("notion = Client(auth='", "nt" + "n_" + MIXED + MIXED[:16], "')", "notion-token"),
    ("notion ", "secret" + "_" + MIXED + MIXED[:13], "\n", "notion-token"),
    ("X-Shopify-Access-Token: ", "shp" + "at_" + HEX * 2, "\n", "shopify-token"),
    ("square ", "sq0" + "atp-" + MIXED[:22], "\n", "square-token"),
    ("SENTRY_AUTH_TOKEN=", "sntr" + "ys_" + MIXED * 3, "\n", "sentry-token"),
    ("doppler run --token ", "dp" + ".st.dev." + MIXED + MIXED[:10], "\n", "doppler-token"),
    ("VAULT_TOKEN=", "hv" + "s." + MIXED, " vault kv get", "vault-token"),
    ("age key: ", "AGE-SECRET" + "-KEY-1" + UPPER * 3 + UPPER[:10], "\n", "age-key"),
    ("postman ", "PM" + "AK-" + HEX + HEX[:8] + "-" + HEX * 2 + HEX[:2], "\n", "postman-key"),
    ("fly auth token\n", "fo" + "1_" + MIXED + MIXED[:13], "\n", "fly-token"),
    ("newrelic ", "NR" + "AK-" + UPPER + UPPER[:11], "\n", "new-relic-key"),
    ("grafana ", "gl" + "sa_" + MIXED + MIXED[:2] + "_" + HEX[:8], "\n", "grafana-token"),
    ("dropbox ", "s" + "l.B." + MIXED * 4, "\n", "dropbox-token"),
    ("X-Figma-Token: ", "fig" + "d_" + MIXED + MIXED[:10], "\n", "figma-token"),
    ("jira ", "ATA" + "TT3xFfGF0" + MIXED * 4 + "=4D8A9F1B", "\n", "atlassian-token"),
    ("xai ", "xa" + "i-" + MIXED * 2 + MIXED[:20], "\n", "xai-key"),
    ("groq ", "gs" + "k_" + MIXED + MIXED[:22], "\n", "groq-key"),
    ("pplx ", "pp" + "lx-" + MIXED + MIXED[:18], "\n", "perplexity-key"),
    ("replicate ", "r" + "8_" + MIXED + MIXED[:7], "\n", "replicate-token"),
    (
        "tailscale up --authkey ",
        "ts" + "key-auth-" + MIXED[:17] + "-" + MIXED + MIXED[:2],
        "\n",
        "tailscale-key",
    ),
    ("OP_SERVICE_ACCOUNT_TOKEN=", "ops_" + "eyJ" + MIXED * 5, "\n", "1password-token"),
    ("aws_access_key_id = ", "AK" + "IA" + UPPER, "\n", "aws-access-key"),
    ("temporary ", "AS" + "IA" + UPPER, "\n", "aws-access-key"),
    ("aws_secret_access_key = ", "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYzq81hdkw93", "\n", "aws-secret-key"),
    ("docker login -u acme -p ", "dckr" + "_pat_" + MIXED[:27], "\n", "docker-token"),
    ("terraform login: ", MIXED[:14] + ".atlas" + "v1." + MIXED * 2, "\n", "terraform-token"),
    ("twilio auth ", HEX * 2, "\n", "twilio-key"),
    # private keys
    (
        "-----BEGIN " + "RSA PRIVATE KEY-----\n",
        (PEM_LINE * 5).rstrip(),
        "\n-----END RSA PRIVATE KEY-----\n",
        "private-key",
    ),
    (
        "-----BEGIN " + "EC PRIVATE KEY-----\r\n",
        PEM_LINE.replace("\n", "\r\n") + "AwEHoUQDQgAEfoo1234567890==",
        "\r\n-----END EC PRIVATE KEY-----",
        "private-key",
    ),
    (
        "-----BEGIN " + "PGP PRIVATE KEY BLOCK-----\n\n",
        (PEM_LINE * 3) + "=a1B2",
        "\n-----END PGP PRIVATE KEY BLOCK-----",
        "private-key",
    ),
    (
        '{"private_key": "-----BEGIN ' + "PRIVATE KEY-----\\n",
        (PEM_LINE * 3).replace("\n", "\\n")[:-2],
        '\\n-----END PRIVATE KEY-----\\n"}',
        "private-key",
    ),
    (
        "     1\t-----BEGIN " + "OPENSSH PRIVATE KEY-----\n     2\t",
        PEM_LINE + "     3\t" + PEM_LINE.rstrip(),
        "\n     4\t-----END OPENSSH PRIVATE KEY-----",
        "private-key",
    ),
    (
        "-----BEGIN " + "PRIVATE KEY-----\n",
        (PEM_LINE * 2).rstrip(),
        "\n\nand here the output was cut",
        "private-key",
    ),
    # the environment and settings
    ("DB_PASSWORD=", "hunter2", "\nDB_HOST=localhost", "assignment"),
    ("export API_KEY='", "k2j9-x81m-44pq", "'\n", "assignment"),
    ("docker run -e MYSQL_ROOT_PASSWORD=", "my-secret-pw", " -d mysql:8", "assignment"),
    ("SMTP_PASS=", "letmein", "\n", "assignment"),
    ("PGPASSWORD=", "s3cr3t", " psql -h db", "assignment"),
    ("JWT_SECRET=", "correcthorsebattery", "\n", "assignment"),
    ("SECRET_KEY_BASE=", HEX * 4, "\n", "assignment"),
    ("HEROKU_API_KEY=", UUID, "\n", "assignment"),
    ("STRIPE_KEY=", MIXED[:24], "\n", "assignment"),
    ("password: ", "hunter2", "\n", "assignment"),
    ("  password: '", "letmein", "'\n", "assignment"),
    ("spring.datasource.password=", "letmein", "\n", "assignment"),
    ("ansible_ssh_pass=", "V3ryS3cret", "\n", "assignment"),
    ('"clientSecret": "', MIXED, '",', "assignment"),
    ('{\\"api_key\\": \\"', "k2j9x81m44pq", '\\"}', "assignment"),
    ('api_key = "', "k2j9x81m44pq", '" # prod', "assignment"),
    ("[db]\npassword = ", "Tr0ub4dor&3", "\n", "assignment"),
    ("access_token: ", MIXED + "." + MIXED, "\n", "assignment"),
    ("'password' => '", "letmein", "',", "assignment"),
    ('password := "', "hunter2", '"', "assignment"),
    ('PASSWORD: str = "', "hunter2", '"', "assignment"),
    ('settings["secret_key"] = "', "k2j9x81m44pq", '"', "assignment"),
    ("define('DB_PASSWORD', '", "letmein", "');", "assignment"),
    (
        '<add name="x" connectionString="Server=db;User Id=sa;Password=',
        "P@ssw0rd",
        ';Database=app"/>',
        "assignment",
    ),
    ("<password>", "letmein99", "</password>", "assignment"),
    ("  - name: API_TOKEN\n    value: ", "k2j9x81m44pq", "\n", "assignment"),
    ("ENV API_KEY ", "k2j9x81m44pq", "\n", "assignment"),
    ("CREATE ROLE app WITH LOGIN PASSWORD '", "letmein", "';", "assignment"),
    ("username=dev&password=", "hunter2", "&grant_type=password", "url-parameter"),
    ("token: `", MIXED, "`", "assignment"),
    # flags and commands
    ("cli --password ", "hunter2", " --user dev", "assignment"),
    ("cli --password=", "'hunter2'"[1:-1], " --user dev", "assignment"),
    ('cli --api-key "', "k2j9x81m44pq", '"', "assignment"),
    ("mysql -h db -u root -p", "hunter2", " app", "command-password"),
    ("sshpass -p '", "hunter2", "' ssh dev@host", "command-password"),
    ("redis-cli -h cache -a ", "hunter2", " ping", "command-password"),
    ("curl -s -u dev:", "hunter2", " https://api.test", "command-password"),
    ("curl --user 'dev:", "hunter2", "' https://api.test", "command-password"),
    ("openssl pkcs12 -passout pass:", "hunter2", " -out x.p12", "command-password"),
    ("echo ", "hunter2", " | sudo -S true", "command-password"),
    ('ConvertTo-SecureString "', "P@ssw0rd1", '" -AsPlainText', "command-password"),
    # addresses
    ("postgresql://app:", "hunter2", "@db.internal:5432/app", "url-credential"),
    ("redis://:", "hunter2", "@cache:6379/0", "url-credential"),
    ("mongodb+srv://root:", "p%40ss!w0rd", "@cluster0.test/?retryWrites=true", "url-credential"),
    ("amqp://guest:", "guest", "@mq:5672", "url-credential"),
    ("https://x-access-token:", "gh" + "s_" + MIXED + MIXED[:6], "@github.com/acme/app", "github-token"),
    ("SENTRY_DSN=https://", HEX * 2, "@o123.ingest.sentry.test/456", "url-credential"),
    ("GET /v1/items?access_token=", "k2j9x81m44pq", "&page=2 HTTP/1.1", "url-parameter"),
    ("https://api.test/?api_key=", "k2j9x81m44pq", " 200", "url-parameter"),
    ("https://s3.test/b/k?X-Amz-Expires=900&X-Amz-Signature=", HEX * 4, " expired", "url-parameter"),
    # headers
    ("Authorization: Bearer ", "k2j9x81m44pq", "\r\nHost: api.test", "authorization"),
    ("-H 'Authorization: Basic ", "ZGV2Omh1bnRlcjI=", "'", "basic-auth"),
    ('"Authorization": "Token ', HEX * 2 + HEX[:8], '"', "authorization"),
    ("authorization: Bearer ", "abcdefghijklmnopqrstuvwxyz", "\n", "authorization"),
    ("Proxy-Authorization: Basic ", "ZGV2OnBhc3N3b3Jk", "\n", "basic-auth"),
    ("Cookie: sessionid=", "k2j9x81m44pq; csrftoken=" + MIXED, "\r\nAccept: */*", "cookie"),
    ("set-cookie: sid=", "s%3A" + MIXED, "; Path=/; HttpOnly", "cookie"),
    ("X-Api-Key: ", "k2j9x81m44pq", "\n", "header"),
    ("X-Vault-Token: ", "s." + MIXED[:24], "\n", "header"),
    ("'X-Auth-Token': '", "k2j9-x81m-44pq", "'", "header"),
    # files
    ("machine api.test\n  login dev\n  password ", "hunter2", "\n", "netrc"),
    ("db.test:5432:*:app:", "hunter2", "\n", "netrc"),
    ('"auths": {"ghcr.io": {"auth": "', "ZGV2Omh1bnRlcjI=", '"}}', "registry-auth"),
    (
        "    client-key-data: ",
        "LS0tLS1CRUdJTi" + "BSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlF" + MIXED * 4,
        "\n",
        "private-key",
    ),
    ("user: admin\n    token: ", MIXED, "\n", "assignment"),
    # conversation
    ("the staging password is ", "hunter2!", ", do not tell anyone", "assignment"),
    ("my api key: ", HEX * 2, "\n", "assignment"),
    ("Cloudflare token for the zone: ", "Zq81hdKw93hfLm20xVb7Tn5RyC4sPa6Qe8Wd2Uf", "\n", "high-entropy"),
    ("secret (base64): ", MIXED + MIXED[:14], "\n", "high-entropy"),
]


@pytest.mark.parametrize(
    ("before", "secret", "after", "kind"), CASES, ids=[f"{c[3]}-{i}" for i, c in enumerate(CASES)]
)
def test_a_secret_vanishes_and_what_stands_around_it_stays(
    before: str, secret: str, after: str, kind: str
) -> None:
    assert Redactor().redact(before + secret + after) == f"{before}[redacted:{kind}]{after}"


def test_at_least_a_hundred_shapes_are_tried() -> None:
    assert len({case[1:4:2] for case in CASES}) >= 100
