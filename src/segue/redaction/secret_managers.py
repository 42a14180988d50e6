"""Programs that keep secrets: what each gives out is nothing but secrets, whatever name it stands under.

A row is a program and how its arguments ask for a value; whoever asks for names, sizes or states gets no secret.
"""

from __future__ import annotations

_OF_CLUSTER = (
    r"(?=.*\bget\b)(?=.*\bsecrets?\b).*(?:-o|--output|--template)[ =]?['\"]?(?:ya?ml|json|go-|custom|\{)"
)
REVEALS = {
    "sops": r"(?:^| )(?:-d|--decrypt|decrypt)\b",
    "age": r"(?:^| )(?:-d|--decrypt)\b",
    "rage": r"(?:^| )(?:-d|--decrypt)\b",
    "gpg": r"(?:^| )(?:-d|--decrypt)\b",
    "gpg2": r"(?:^| )(?:-d|--decrypt)\b",
    "eyaml": r"^decrypt\b",
    "ansible-vault": r"^(?:view|decrypt)\b",
    "vault": r"^(?:kv get|read|unwrap|print token)\b",
    "bao": r"^(?:kv get|read|unwrap|print token)\b",
    "op": r"^(?:read|inject|item get|document get|get)\b",
    "pass": r"^(?:show\b|generate\b|[\w.@-]+/)",
    "gopass": r"^(?:show\b|generate\b|[\w.@-]+/)",
    "aws": r"\bget-secret-value\b|\bget-login-password\b|\bget-random-password\b|--with-decryption\b",
    "gcloud": r"\bsecrets versions access\b|\bprint-(?:access|identity)-token\b",
    "az": r"\bkeyvault secret show\b|\baccount get-access-token\b",
    "doppler": r"^secrets(?! (?:set|delete|upload|notes)\b)",
    "infisical": r"^(?:secrets(?! (?:set|delete|folders)\b)|export\b)",
    "chamber": r"^(?:read|export|env)\b",
    "kubectl": _OF_CLUSTER,
    "oc": rf"{_OF_CLUSTER}|^extract secret",
    "gh": r"^auth token\b|^auth status\b.*(?:-t\b|--show-token)",
    "bw": r"^get (?:password|item|notes|totp)\b",
    "lpass": r"^show\b",
    "security": r"^find-(?:generic|internet)-password\b.* -[wg]",
    "secret-tool": r"^lookup\b",
    "keyring": r"^get\b",
    "rails": r"^(?:credentials|secrets):show\b",
}
"""Programs that keep secrets, and how each is asked to give them out."""
LISTS = {
    "printenv": r"",
    "env": r"^$",
    "heroku": r"^config\b",
    "railway": r"^variables\b",
    "docker": r"^compose\b.* config\b|^inspect\b",
}
"""Programs that list settings, of which what was made up is a secret, and how each is asked to."""
NAMES_ONLY = r"--only-names|--help|(?:^| )metadata\b"
"""How they are asked for anything else."""
_SHORT = frozenset(("pass", "op", "az", "aws", "security", "age", "oc", "bw", "gh"))
_BEGINNINGS = "pass show,pass gen,op read,op inj,op item,op doc,op get,az key,az acc,age -,aws sec,aws ssm,aws ecr,security find,oc get,oc ext,bw get,gh auth"
HINTS = (
    *(f"{program} " for program in REVEALS if program not in _SHORT),
    *_BEGINNINGS.split(","),
    *("printenv", "env |", "heroku config", "railway var", "docker compose", "docker inspect"),
)
"""How every command that asks one of them begins; short names with more, since prose begins so, too."""
