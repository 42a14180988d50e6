"""Serves workspaces over HTTP: every operation, to any language, with the answers of the command line."""

from __future__ import annotations

import argparse
import sys
import time

from segue.errors import BadInput, Unavailable
from segue.service import tokens
from segue.surfaces.cli.operation_calls import given
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import workspace_of

DEFAULT = "default"


def do_serve(args: argparse.Namespace, out: Output) -> None:
    try:
        from segue.surfaces.http.serving import ANY_ORIGIN, Options, Serving  # 250 ms
    except ModuleNotFoundError as missing:
        raise Unavailable(
            f"A server needs {missing.name}, which is not installed.", "pip install 'segue[server]'"
        ) from None
    options = Options(
        _served(args), **given(args, "host", "port", "tokens", "no_token", "cors", "allow_hosts")
    )
    serving = Serving(options, sys.stderr)
    told = {"url": serving.url, "workspaces": list(serving.workspaces)}
    lines = [f"Serving {', '.join(serving.workspaces.values())} on {serving.url}"]
    if ANY_ORIGIN in args.cors:
        lines.append("Pages of every origin may call, with a token.")
    if serving.secret is not None:
        told["token"] = serving.secret
        lines.append("No token is configured, so this one holds until the server stops:")
        lines.append(f"  export SEGUE_SERVER={serving.url} SEGUE_TOKEN={serving.secret}")
    out.result(told, "\n".join(lines))
    serving.run()


def _served(args: argparse.Namespace) -> dict[str, str]:
    """Directories by name, in the order given."""
    given: list[str] = getattr(args, "workspace", None) or []
    found: dict[str, str] = {}
    for one in given:
        name, said, directory = one.partition("=")
        if not said or "/" in name:
            name, directory = DEFAULT, one
        if not tokens.names_workspace(name) or name in found:
            raise BadInput(
                f"{one!r} does not name a workspace of its own.", "Write NAME=DIR, each with another name."
            )
        found[name] = workspace_of(argparse.Namespace(workspace=directory)).root
    return found or {DEFAULT: workspace_of(argparse.Namespace()).root}


def do_token(args: argparse.Namespace, out: Output) -> None:
    path = args.tokens or tokens.default_path()
    if args.action == "list":
        _list(path, args.name, out)
        return
    if not args.name:
        raise BadInput(f"Which token to {args.action}?", f"segue serve token {args.action} NAME")
    if args.action == "revoke":
        gone = tokens.revoke(path, args.name)
        out.result(
            {"revoked": gone.name}, f"{gone.name} is revoked; servers end its streams and let it in no more."
        )
        return
    made, secret = tokens.create(path, args.name, args.scope, args.workspace, args.expires)
    out.result(
        {**made.to_json(), "token": secret},
        f"{secret}\n\n{'  '.join(_cells(made))}\nIt is shown this once. Callers give it in SEGUE_TOKEN.",
    )


def _list(path: str, name: str, out: Output) -> None:
    known = [token for token in tokens.Keyring(path).tokens() if name in ("", token.name)]
    if name and not known:
        raise tokens.unknown(name)
    rows = [_cells(token) for token in known]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    text = "\n".join(lines) or "No tokens yet; `segue serve token create NAME` makes one."
    out.result({"tokens": [token.to_json() for token in known]}, text)


def _cells(token: tokens.Token) -> tuple[str, ...]:
    """What a line says of a token."""
    if token.expires_ms is None:
        until = "never expires"
    else:
        verb = "expired" if token.expired else "expires"
        until = f"{verb} {time.strftime('%Y-%m-%d %H:%MZ', time.gmtime(token.expires_ms / 1000))}"
    return token.name, token.scope, token.workspace or "all workspaces", until
