"""What must stay whole: the evidence of a session, and everything that merely looks like a secret."""

from __future__ import annotations

import pytest

from segue.redaction.redact import Redactor

SHA1 = "9fceb02d0ae598e95dc970b74767f19372d61af8"
SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
SHA512 = "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="
UUID = "7c9e6679-7425-40de-944b-e07fc1f90ae7"

STAYING = [
    # identities and digests
    f"commit {SHA1}",
    f"git show {SHA1[:7]} && git diff {SHA1[:12]}..{SHA1[20:32]}",
    f"sha256:{SHA256}",
    f"image: registry.test/app@sha256:{SHA256}",
    f"session {UUID} resumed",
    f"id={UUID.replace('-', '')}",
    f'"integrity": "sha512-{SHA512}"',
    "golang.org/x/sync v0.7.0 h1:YsImfSBoP9QPYL0xyKJPq0gcaJdG3rInoqxTWbfQu9M=",
    f"    --hash=sha256:{SHA256} \\",
    f'checksum = "{SHA256}"',
    f"https://files.test/packages/{SHA256[:2]}/{SHA256[2:4]}/{SHA256[4:]}/requests-2.31.0.tar.gz",
    f"resolved https://registry.test/lodash/-/lodash-4.17.21.tgz#{SHA1}",
    f'etag: W/"{SHA1[:16]}-a8Kd02mZq7"',
    f"Merge pull request #12 from acme/{SHA1[:8]}",
    f"md5 {SHA1[:32]}  dist.zip",
    "Das Passwort ist ungültig und das Kennwort: erforderlich",
    "le mot de passe est incorrect, la contraseña es incorrecta, a senha é inválida, wachtwoord is vereist",
    "密码是必填的，密码：至少8位",
    "パスワードは8文字以上です",
    "segue_handoff_created segue_thread_branch segue_continuity_context_selection_decided_at",
    "MTkzRegistration.Modern.configurationOfTheApplication",
    f"cache key: node-modules-{SHA256}",
    f"X-Request-Id: {UUID}",
    "me@box pass: zsh:1: command not found: gti",
    "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    # encoded pictures, public keys, certificates
    "![](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==)",
    "src: url(data:font/woff2;base64,d09GMgABAAAAAAAEAAA/SKEAAAAAEAAAsk/AKIAEaaEAAAKeyJ)",
    "data:image/png;base64,iVBORw0KGgo/EAAA"
    + "a8Kd02mZq7Rt5Yw1Xc9Ve3Bn6Hj4Gf" * 2
    + "+dapi"
    + SHA1[:32]
    + "/",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl dev@host",
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQDk93jf02kd8fj3kd02jf83jd0Zq81hdKw93hfLm20xVb7 dev@host",
    "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8 host (ED25519)",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEVs/o5+uQbTjL3chynL4wXgUg2R9\n-----END PUBLIC KEY-----",
    "if '-----BEGIN " + "RSA PRIVATE KEY-----' in text: raise ValueError('-----END RSA PRIVATE KEY-----')",
    # sentences about secrets
    "the password is wrong, password is required, token is expired, the secret is patience",
    "What is the admin password? This is the admin password form. argon2id is the password hash2 we use",
    "RetryHandler42 is the new password check and Step2 is the password step",
    "passphrase: optional, passphrase: read-from-the-keychain, the passphrase is too-short-to-be-safe",
    "the password is case-sensitive-and-long, password: must-have-eight-letters",
    "log in as admin / operator, log in with OAuth2/OIDC, sign in as guest, logged in as dev@host2 / eu-west-1a",
    "pw = None, pw = load_password2(x), pword: required, stopword: top100, stopwords=english2",
    "credentials: src/auth/provider2.ts, creds: vault:kv_v2/app, login: required",
    "the key for each row is user_id_2024 and the token for the header is color.primary.500",
    # code that names secrets without holding any
    'password = os.environ["PASSWORD"]',
    "password: str | None = None",
    "token: string;",
    "api_key=None",
    "secret = get_secret(name)",
    "const token = await getToken(user.id, { refresh: true });",
    "this.apiKey = config.apiKey2 ?? process.env.API_KEY;",
    "def login(self, username: str, password: SecretStr) -> Token:",
    "assert user.password != other.password",
    'if (!token) throw new Error("token missing");',
    "client = Client(api_key=settings.API_KEY_V2, token=token_v2)",
    "interface Session { accessToken: string; refreshToken?: string | undefined }",
    "struct Login { password: String, token: Option<String>, secret: [u8; 32] }",
    "SELECT token, password_hash FROM users WHERE token = $1",
    'parser.add_argument("--password", help="the password to use")',
    "func (t *Token) Secret() string { return t.secret }",
    'token_url = "https://auth.test/oauth2/v2/token"',
    "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased-v2')",
    "max_tokens=4096, prompt_tokens: 123456789, total_tokens=987654321",
    "next_page_token: CAUQAA1b2C3d4E5f6G7h8",
    '"LockToken": "2294b3a1-eb60-4aa0-a86f-a3ae04329de9", --lock-token 2294b3a1-eb60-4aa0-a86f-a3ae04329de9',
    "arn:aws:secretsmanager:us-west-2:123456789012:secret:MyTestSecret-a1b2c3",
    'PASSWORD_ONLY = "PUBLIC_KEY_AND_PASSWORD", f"{user_id}-auth-token", password = "%s:%s" % pair',
    "connect(user=parts['user'], password=parts['password'])",
    "secretKeyRef:\n  name: db-credentials-v2\n  key: password",
    "password_min_length = 12",
    'autocomplete="current-password"',
    'label: { password: "Passwort", token: "Zugangstoken" }',
    "auth.errors.password.too_short = The password is too short",
    '"password": "errors.password.required"',
    "TestPasswordResetTokenExpires2024 PASSED",
    "--- PASS: TestTokenRefresh/expired_2 (0.02s)",
    "test_token_is_rejected_when_password_changed_v2",
    "keyboard monkey turkey: 12ab34cd56ef",
    # references and blanks
    "password: ${PASSWORD}",
    "DB_PASSWORD=$DB_PASSWORD_V2 TOKEN=$(cat /run/secrets/token1)",
    "password: {{ vault_db_password_2 }}",
    "token: ${{ secrets.DEPLOY_TOKEN_2 }}",
    "token=<your token>",
    "API_KEY=your-api-key-here",
    "API_KEY=xxxxxxxxxxxxxxxxxxxxxxxx PASSWORD=********",
    "PASSWORD=changeme",
    "SECRET_KEY=replace-me-with-32-random-bytes",
    "Bearer <token>",
    'headers = {"Authorization": f"Bearer {token}"}',
    "Authorization: Bearer $TOKEN_2",
    "curl -u user:password https://host",
    "postgres://user:password@localhost:5432/app",
    "postgres://${DB_USER}:${DB_PASS}@${DB_HOST}/app",
    "https://user:***@host/path",
    "export OPENAI_API_KEY=sk-...",
    'OPENAI_API_KEY="sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"',
    "gh" + "p_" + "x" * 36,
    "the password is REDACTED and the token is [REDACTED]",
    "API_KEY=[redacted:assignment] and Bearer [redacted:jwt]",
    "op://vault/item/password vault:secret/data/app#password",
    "PASSWORD_FILE=/run/secrets/db_password_1",
    "TOKEN_TTL=3600 SECRET_ROTATION_DAYS=90 API_KEY_HEADER=X-Api-Key-2",
    # words and names that begin like tokens
    "pip install scikit-learn sk-learn sk-video",
    "task-4821 risk-7 disk-0 ask-me-anything-2024-edition",
    ".sk-fading-circle .sk-circle12:before { animation-delay: -0.1s }",
    "hf_hub_download npm_config_user_agent npm_package_json_v2",
    "glpat- is the prefix of GitLab tokens, ghp_ of GitHub's",
    "xoxb-your-bot-token",
    "pk_live_" + "a8Kd02mZq7Rt5Yw1Xc9Ve3Bn",
    "key-value store, key-3f9a0c7e, primary_key=user_id_2",
    "msg.sender msg.SG.settings ssl.SSLContext re_match_2024",
    "getUserAccessTokenFromRequestHeadersV2Async(request)",
    "AKIAlongCamelCaseIdentifierName ASIAPACIFIC2024REGION",
    # what stands behind names that may mean secrets, in tables and in lists
    f"cacheKey: a8Kd02mZq7Rt5Yw1, publicKey = '{SHA256}', commit_key: {SHA1}, primary_key: {UUID}",
    f'"hostKey": "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8", "SSH_KEY": "{UUID}"',
    "SSH_KEY: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl dev@host",
    "deploy_key: /home/dev/.ssh/id_ed25519, sort_key = created_at_2024, random_seed: 20240501, SEED = 42",
    "_normalized_key = _pep_440_key, emitKey = !!key.emitKey, authKey: getUserTokenFromRequestV2",
    "| field | type | password |\n|---|---|---|\n| a | text | required |\n| b | text | no |\n",
    "  username,\n  password,\n  scopeAuthKey,\n  regKey2,\n",
    "| model | tokens |\n|---|---|\n| small | 4096000 |\n",
    "passwords:\n  - required\n  - min-length\ntokens: ['IF', 'RightParen', 'identifier2']",
    "--password string   the password to use, --password newPassword, ?password=required",
    "Username\nPassword\nRememberMe\nLog in",
    "password    VARCHAR(255)\npassword    required\n",
    "pin: 12, GPIO_PIN = 21, mapping: 4821, spin: 4821, exit code is 123457, error code: 404217",
    f"AKIAS_REGISTRY at {SHA1}, upload of AKIA",
    "password: '' and password: \"Forgot your password?\" and password: 'at least 8 letters'",
    "-----END CERTIFICATE-----\n-----END PUBLIC KEY-----",
    "eyJ0aXRsZSI6InRoZSBwYXNzd29yZCBmaWVsZCIsInBhc3N3b3JkIjoiUmVxdWlyZWQifQ==",
    'net use /delete Z:, sqlplus / as sysdba, lftp sftp://host, send "exit\\r"',
    # plain evidence
    "src/auth/token_store.py:42: in refresh",
    "C:\\Users\\dev\\secrets\\token.txt",
    "/home/dev/.config/app/credentials/readme.md",
    "numpy==1.26.4 @babel/core@7.24.0 react-dom@18.2.0 actions/checkout@v4",
    "#a1b2c3 #FFAA0080 rgba(12, 34, 56, 0.5)",
    "2026-01-15T09:41:22.123456Z 20260115094122_create_users_table",
    "+1 (555) 010-9999, 00:1b:44:11:3a:b7, 192.168.10.254:5432",
    "http://localhost:3000/@vite/client http://[::1]:8080/a@b",
    "git@github.com:acme/app.git ssh://git@host:22/app.git",
    "mailto:dev@example.test?subject=token",
    "[#412] [#1-9] see [redacted:private-key]",
    "a.b=function(e,t,n){return e.token=t.tokens[n],r(e)};!function(){}()",
    "?key=primary-color&sort=token&sig=none",
    "Set-Cookie: sid=<value>; Path=/",
    "basic authentication, bearer authentication, token authentication",
    "echo $TOKEN | docker login --password-stdin -u acme",
    "mysql -u root -p app < dump.sql; mysqldump --port 3306",
    "ports:\n  - 5432:5432\nredis-cli -p 6379",
]


@pytest.mark.parametrize("text", STAYING, ids=[f"{i}-{text[:24]}" for i, text in enumerate(STAYING)])
def test_a_look_alike_stays_whole(text: str) -> None:
    assert Redactor().redact(text) is text


def test_at_least_a_hundred_look_alikes_are_tried() -> None:
    assert len(set(STAYING)) >= 100
