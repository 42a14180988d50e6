"""The bundle a handoff is committed as."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from segue.handoff.bundle import file_refs
from segue.model import wire
from segue.model.bundle import handoff_bundle, read_handoff_bundle
from segue.model.facts import Facts, FileFact

CUT = {"thread_id": "019a0000-0000-7000-8000-000000000000", "seq": 4}


def test_a_bundle_holds_the_packet_the_cut_and_the_files(facts: Facts) -> None:
    bundle = handoff_bundle("the packet", CUT, [], [{"artifact_id": "0" * 64}], file_refs(facts))
    assert bundle == {
        "schema": "rip.handoff_context_bundle.v1",
        "summary_markdown": "the packet",
        "refs": {
            "threads": [{**CUT, "note": "source cut"}],
            "artifacts": [{"artifact_id": "0" * 64}],
            "files": [
                {"path": "README.md", "note": "read"},
                {"path": "setup.cfg", "note": "read"},
                {"path": "src/courier/retry.py", "note": "created, needs review: holds the backoff policy"},
                {"path": "tests/test_retry.py", "note": "modified, editing"},
            ],
        },
    }
    assert read_handoff_bundle(wire.canonical(bundle)) == bundle


def test_paths_are_seen_from_the_root_of_the_workspace(facts: Facts) -> None:
    files = tuple(FileFact(path=path) for path in ("a.py", "../b.py", "../../c.py", "/etc/d", "~/e"))
    source = replace(facts.source, cwd="./services/api")
    refs = file_refs(replace(facts, source=source, files=files))
    assert [ref["path"] for ref in refs] == ["c.py", "services/api/a.py", "services/b.py"]


@given(st.from_type(Facts), st.lists(st.text()))
def test_whatever_the_paths_the_bundle_is_one_that_can_be_read(facts: Facts, paths: list[str]) -> None:
    facts = replace(facts, files=tuple(FileFact(path=path) for path in paths))
    read_handoff_bundle(wire.canonical(handoff_bundle("p", CUT, [], [], file_refs(facts))))
