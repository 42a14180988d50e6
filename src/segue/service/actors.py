"""Who acts: a person, the agent that a command runs inside, or a caller of a server.

An agent never approves. Whatever somebody vouches for is a person's word, so an agent is refused it here, through
whichever surface it comes, and so is a process that no terminal of a person controls; a caller of a server has shown a
token that allows it.
"""

from __future__ import annotations

from segue.agents import inside
from segue.agents.registry import READERS
from segue.model.thread import AGENT, CALLER, PERSON, Provenance
from segue.service.refusals import refusal

USER = "user"


def acting(surface: str, actor_id: str | None = None, agent: str = "", origin: str = "") -> Provenance:
    """Whoever uses this process: the agent it runs inside, or the one whose session it speaks for, else a person. It
    goes through the surface, or the origin that somebody names. Raises Refused for an agent that names another than itself
    or its way."""
    around = inside.around()
    name = around.agent if around else agent
    if around:
        require_own_name(around.agent, actor_id)
        require_own_name(surface, origin)
    elif agent and actor_id == USER:
        actor_id = None
    return Provenance(actor_id or name or USER, origin or surface, AGENT if name else PERSON)


def calling(actor_id: str | None, origin: str | None, agent: str = "") -> Provenance:
    """Whoever calls a server, as they name themselves: an agent where that is an agent's name. Where an agent runs the
    server, nobody else can be told from it."""
    known = actor_id in READERS or actor_id == inside.SOME_AGENT
    kind = AGENT if known or agent else CALLER
    actor_id = actor_id if known or not agent else agent
    return Provenance(actor_id or USER, origin or "server", kind)


def require_own_name(agent: str, given: str | None) -> None:
    """Raises Refused for a name that is not the agent's. One that does not tell which it is may say so here."""
    if not given or given == agent or (agent == inside.SOME_AGENT and given in READERS):
        return
    raise refusal("not-its-name", label=inside.Inside(agent).label, given=given[:80])


def require_person(by: Provenance, act: str) -> None:
    """Raises Refused where an agent acts, also one that has removed its variables from the environment."""
    agent = inside.Inside(by.actor_id) if by.kind == AGENT else None
    if by.kind == PERSON:
        agent = inside.around()
    if agent:
        raise refusal("for-a-person", act=act, label=agent.label)


def require_approver(by: Provenance, act: str) -> None:
    """Raises Refused where no person at a terminal approves: no agent shows above a process that it let go of."""
    require_person(by, act)
    if by.kind == PERSON and not inside.at_terminal():
        raise refusal("no-terminal", act=act)
