"""Who acts on a thread."""

from __future__ import annotations

from typing import Any

from segue.model.value import NamedTuple

PERSON, AGENT, CALLER = "person", "agent", "caller"
"""Who can act: somebody at this machine, an agent, or somebody who calls a server from elsewhere."""


class Provenance(NamedTuple):
    """Who did it and through which surface; recorded on every frame a person or program causes. `kind` decides what
    they may do, and is not recorded."""

    actor_id: str = "user"
    origin: str = "library"
    kind: str = PERSON

    def stamp(self, payload: dict[str, Any]) -> dict[str, Any]:
        """The payload with provenance, and without the fields nobody gave."""
        kept = {name: value for name, value in payload.items() if value is not None}
        return {**kept, "actor_id": self.actor_id, "origin": self.origin}


LIBRARY = Provenance()
"""Who acts when nobody is named: the program that imports this one."""
