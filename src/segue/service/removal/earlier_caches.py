"""What earlier versions kept in a person's cache and nothing reads any more: indexes of sessions, compiled patterns."""

from __future__ import annotations

import glob
import os
import shutil
from collections.abc import Iterator

from segue.model.value import NamedTuple
from segue.stores.private_files import cache_folder


class EarlierCache(NamedTuple):
    what: str
    path: str
    size: int

    def remove(self) -> None:
        if os.path.isdir(self.path) and not os.path.islink(self.path):
            shutil.rmtree(self.path)
        else:
            os.unlink(self.path)


def earlier_caches() -> Iterator[EarlierCache]:
    folder = cache_folder()
    indexes = os.path.join(folder, "indexes")
    if os.path.lexists(indexes):
        sizes = (
            os.lstat(os.path.join(place, name)).st_size
            for place, _, names in os.walk(indexes)
            for name in names
        )
        yield EarlierCache("index", indexes, sum(sizes))
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "patterns-*"))):
        yield EarlierCache("patterns", path, os.lstat(path).st_size)
