"""The verb update."""

from __future__ import annotations

import argparse
from typing import Any

from segue.errors import BadInput
from segue.model import wire
from segue.service.actors import acting
from segue.surfaces.cli.change import flags
from segue.surfaces.cli.operation_calls import ask, given, server_of
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import read_text


def do_update(args: argparse.Namespace, out: Output) -> None:
    start = wire.decode(read_text(args.source, flags.MAX_INPUT_BYTES)) if args.source else {}
    if not isinstance(start, dict):
        raise BadInput("An update is a JSON object.", "`segue change schema update` prints its shape.")
    evidence = [_evidence_file(values) for values in args.evidence_file]
    more: dict[str, Any] = {"evidence_files": evidence} if evidence else {}
    if evidence and server_of(args) is not None:
        raise BadInput("A server does not take files of evidence.", "Name a file of its workspace instead.")
    done = ask(
        args,
        "change.update",
        acting("cli"),
        wanted=flags.update_from(args, flags.EVERYWHERE + flags.UPDATING, {**start, **_grouped(args, start)}),
        author=flags.author_of(args),
        **more,
        **given(args, "tc_id", "reason", "strict", "seal_anew"),
    )
    told = (
        f"{done['revision']}  {done['summary']}"
        if done["updated"]
        else "Nothing to change: the record already is as asked."
    )
    out.result(done, f"{done['tc_id']}  {done['status']}\n{told}")


def _grouped(args: argparse.Namespace, start: dict[str, Any]) -> dict[str, Any]:
    """Fields that several flags make up together."""
    values: dict[str, Any] = {}
    if len(args.add_test) > 1:
        raise BadInput(
            f"--add-test was given {len(args.add_test)} times, and it is not told whose the steps are.",
            "Add one test in an update, or several with --from FILE under `add_tests`.",
        )
    if args.add_test:
        if not args.test_procedure or not args.test_expected:
            raise BadInput(
                "A test needs steps and an expected result.", "Give --test-procedure and --test-expected."
            )
        test = {
            "title": args.add_test[0],
            "procedure": args.test_procedure,
            "expected_result": args.test_expected,
        }
        values["add_tests"] = [*start.get("add_tests", []), test]
    elif args.test_procedure or args.test_expected:
        raise BadInput("Steps and an expected result belong to a new test.", "Give --add-test TITLE too.")
    if args.approve is not None:
        given = {"by": args.approve, "notes": args.approval_notes, "date": args.approval_date}
        values["approve"] = {name: value for name, value in given.items() if value is not None}
    elif args.approval_notes is not None or args.approval_date is not None:
        raise BadInput("Notes and a date belong to an approval.", "Give --approve NAME too.")
    if args.tested_by is not None and not args.field_test_result:
        raise BadInput("--tested-by says who tested.", "Give --test-result too.")
    if args.revoke_approval:
        values["revoke_approval"] = True
    if args.add_sub:
        values["add_subs"] = [*start.get("add_subs", []), *_new_subs(args)]
    elif args.sub_description is not None or args.under is not None:
        raise BadInput(
            "--sub-description and --under belong to a new sub-change.", "Give --add-sub TITLE too."
        )
    return values


def _new_subs(args: argparse.Namespace) -> list[dict[str, Any]]:
    if len(args.add_sub) > 1 and args.sub_description is not None:
        raise BadInput(
            f"--sub-description describes one sub-change, and --add-sub was given {len(args.add_sub)} times.",
            "Describe them afterwards with --sub-describe SUB TEXT.",
        )
    return [
        {"title": title, "description": args.sub_description, "under": args.under} for title in args.add_sub
    ]


def _evidence_file(values: list[str]) -> tuple[str, str, str]:
    if not 2 <= len(values) <= 3:
        raise BadInput(
            f"--evidence-file takes TEST PATH [DESCRIPTION], and was given {len(values)} words: {' '.join(values)}.",
            "Put a text of several words in quotes, as --evidence-file T1 run.log 'the run'.",
        )
    test, path, description = [*values, ""][:3]
    return test, path, description
