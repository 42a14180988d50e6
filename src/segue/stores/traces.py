"""Lines that hooks leave behind when something was not as it should be; `segue status` and `segue doctor` show them.

Leaving one never fails: a disk that takes no line must not stop an agent. Of many lines the newest stay.
"""

from __future__ import annotations

import os
import time

from segue.stores.private_files import make_folder, open_file

LARGEST = 64 * 1024
"""Bytes of traces before the older half is dropped."""


def append_trace(folder: str, host: str, event: str, told: str) -> None:
    """Adds a line about one call to the traces of a workspace folder."""
    try:
        state = os.path.join(folder, "boundary")
        make_folder(state)
        parts = (" ".join(part.split()) for part in (host[:40], event[:60], told[:360]))
        line = "\t".join((str(int(time.time())), *parts))
        handle = open_file(os.path.join(state, "failures.log"), os.O_RDWR | os.O_CREAT | os.O_APPEND)
        try:
            if os.fstat(handle).st_size > LARGEST:
                recent = os.pread(handle, LARGEST, os.fstat(handle).st_size - LARGEST // 2)
                os.ftruncate(handle, 0)
                os.write(handle, recent[recent.find(b"\n") + 1 :])
            os.write(handle, f"{line}\n".encode(errors="replace"))
        finally:
            os.close(handle)
    except OSError:
        pass
