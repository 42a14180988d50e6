"""The collectors: each keeps, of the entries it is shown, what it cares for, and keeps it small."""

from __future__ import annotations

from segue.extract import claims
from segue.extract.commands import failures
from segue.extract.commands.jobs import Jobs
from segue.extract.flight import Flight
from segue.extract.packets import Packets
from segue.extract.remarks import edited, remarks, statements, unanswered
from segue.extract.session import Session
from segue.extract.todos import Board
from segue.extract.tree import files
from segue.extract.tree.history import History
from segue.extract.tree.places import Places
from segue.extract.turns import Book
from segue.extract.words.talk import Talk
from segue.model.memory import Rememberer


class Collectors:
    def __init__(self) -> None:
        self.session = Session()
        self.turns = Book()
        self.talk = Talk()
        self.remarks = remarks.Listener()
        self.statements = statements.Listener()
        self.unanswered = unanswered.Listener()
        self.edits = edited.Edits()
        self.runs = failures.Ledger()
        self.places = Places()
        self.files = files.Ledger(self.places)
        self.history = History(self.places)
        self.claims = claims.Ledger(self.history)
        self.packets = Packets(self._begin_with)
        self.board = Board()
        self.jobs = Jobs()
        self.flight = Flight()

    def _begin_with(self, packet: str, source: str, line: int, takes_over: bool) -> None:
        self.claims.begin_with(packet, source, line, self.session.branch, takes_over=takes_over)

    def each(self) -> dict[str, Rememberer]:
        return dict(vars(self))
