"""Artifacts in an object store beside bare obstore: same server, same bytes on the wire, in one run.

The yardstick sends a blob that was made beforehand and believes the answer. Ours hashes, frames and compresses,
and then asks the store for its checksum of what it took; the second yardstick asks for that, too. Run
`python benchmarks/s3.py`.
"""

from __future__ import annotations

import io
import os
import runpy
import sys
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path

import obstore
from measure import Line, compared, options, rates, report

from segue.model.ids import new_id
from segue.stores import blob_file
from segue.stores.s3 import S3Artifacts
from segue.stores.s3_address import Address, open_store, read_address

SEAWEED = runpy.run_path(str(Path(__file__).parent.parent / "tests" / "stores" / "seaweed.py"))
SIZES = {"4 KB": (4096, 40, 25), "8 MB": (8_000_000, 1, 12)}
"""Bytes, how many in one turn, and how many turns."""


class Bare:
    """What obstore does when nobody asks it to be sure."""

    def __init__(self, address: Address) -> None:
        self.store = open_store(address)

    def put(self, body: bytes) -> str:
        name = new_id()
        obstore.put(self.store, name, body, mode="create")
        return name

    def put_and_ask(self, body: bytes) -> None:
        obstore.head(self.store, self.put(body))

    def get(self, name: str) -> bytes:
        return bytes(obstore.get(self.store, name).bytes())


def measured(bare: Bare, ours: S3Artifacts, what: str, size: int, each: int, rounds: int) -> list[Line]:
    noise, numbers = os.urandom(size - 8), count()

    def fresh() -> bytes:
        return next(numbers).to_bytes(8, "big") + noise

    def repeated(work: Callable[[], object]) -> Callable[[], int]:
        def turn() -> int:
            for _ in range(each):
                work()
            return each

        return turn

    file = io.BytesIO()
    blob_file.write(file, (fresh(),))
    body = file.getvalue()
    name, (artifact_id, _) = bare.put(body), ours.put(fresh())
    puts = rates(
        {
            "raw": repeated(lambda: bare.put(body)),
            "asked": repeated(lambda: bare.put_and_ask(body)),
            "ours": repeated(lambda: ours.put(fresh())),
        },
        rounds,
    )
    gets = rates(
        {"raw": repeated(lambda: bare.get(name)), "ours": repeated(lambda: ours.get(artifact_id))}, rounds
    )
    return [
        compared(f"put {what}", puts, "puts/s", 0.4),
        compared(f"put {what}, both ask what was taken", {**puts, "raw": puts["asked"]}, "puts/s", 0.4),
        compared(f"get {what}", gets, "gets/s", 0.4),
    ]


def main() -> int:
    given = options(__doc__)
    os.environ.update(SEAWEED["CREDENTIALS"])
    with tempfile.TemporaryDirectory() as folder, SEAWEED["running"](Path(folder)) as endpoint:
        bare, ours = (
            kind(read_address(f"s3://{SEAWEED['BUCKET']}/{prefix}?endpoint={endpoint}"))
            for kind, prefix in ((Bare, "bare"), (S3Artifacts, "ours"))
        )
        lines = [
            line
            for what, (size, each, rounds) in SIZES.items()
            for line in measured(bare, ours, what, size, given.times(each), given.times(rounds))
        ]
    facts = {"server": "SeaweedFS", "client": f"obstore {obstore.__version__}"}
    return 0 if report("s3", lines, judged=not given.smallest, **facts) else 1


if __name__ == "__main__":
    sys.exit(main())
