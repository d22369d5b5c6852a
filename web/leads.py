"""What each answer leads to, tried on a copy before anybody taps it (DESIGN 5)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.table import Look, Preview, Proposal, Table
from companion.table.throws import value_of
from companion.terms import (
    Answer,
    CardOf,
    Done,
    NoSuchKey,
    Objection,
    Option,
    Pick,
    Picked,
    Question,
    Value,
)
from web.latest import from_outcome
from web.speaking import Speaker

_MOST_OPTIONS = 8
_MOST_TRIALS = 32
_MOST_SENTENCES = 3
_MOST_OF_A_WAY = 5
_FEW_CARDS = 3
"""Where no more cards are asked for, "done" is the question's first button already."""


class Lead(msgspec.Struct, frozen=True):
    """What one answer leads to: sentences of its own, and why the rules would object."""

    sentences: tuple[str, ...] = ()
    objections: tuple[Objection, ...] = ()


class Way(msgspec.Struct, frozen=True):
    """A way on beside the answers that a question wants, as its button says it.

    `act` is `go_on` (the question's default) or `happened` (done at the table, no more told).
    """

    act: str
    label: str
    lead: Lead


class Leads:
    """Leads by question (or `throw:ID`) and answer id, and what is the same either way.

    `done` are leads of questions that want nothing else, `ways` the ways on, both by question.
    """

    def __init__(self) -> None:
        self.done: dict[str, Lead] = {}
        self.ways: dict[str, tuple[Way, ...]] = {}
        self._leads: dict[tuple[str, str], Lead] = {}
        self._common: dict[str, tuple[str, ...]] = {}

    def of(self, key: str, id: str) -> Lead:
        """Return the lead of one answer; an empty one where it was not tried."""
        return self._leads.get((key, id), Lead())

    def common(self, key: str) -> tuple[str, ...]:
        """Return the sentences that every answer to this question leads to."""
        return self._common.get(key, ())

    def add(self, key: str, told: dict[str, Lead]) -> None:
        """Keep the leads of one question, the sentences they share apart from their own."""
        shared: tuple[str, ...] = ()
        if len(told) > 1 and not any(lead.objections for lead in told.values()):
            first = next(iter(told.values())).sentences
            shared = tuple(s for s in first if all(s in o.sentences for o in told.values()))
        self._common[key] = shared[:_MOST_SENTENCES]
        for id, lead in told.items():
            own = tuple(s for s in lead.sentences if s not in shared)
            self._leads[key, id] = Lead(own[:_MOST_SENTENCES], lead.objections)


def leads(table: Table, speaker: Speaker, look: Look) -> Leads:
    """Try every answer that this phone may tap: options of its questions, faces of a doubt."""
    found = Leads()
    trials = 0
    for question in look.questions:
        if question.urgency == "now" and _asked(question, look.seat):
            if question.wants is None:
                preview = _tried(table, Answer(question.key, Done(), look.seat))
                if preview is not None:
                    found.done[question.key] = _lead_beside(speaker, question, preview)
            else:
                found.ways[question.key] = _ways_on(table, speaker, question, look.seat)
        options = _tappable(question, look.seat)
        if not options or trials + len(options) > _MOST_TRIALS:
            continue
        trials += len(options)
        answers = {o.id: Answer(question.key, Picked((o.id,)), look.seat) for o in options}
        found.add(question.key, {id: lead_of(table, speaker, a) for id, a in answers.items()})
    for proposal in look.proposals:
        if not _throws(look, proposal):
            continue  # others see the throw; what it leads to may be told for its seat only
        answers = {
            face: Answer(proposal.question, value_of(full), look.seat)
            for face, full in _settled(proposal).items()
        }
        told = {face: lead_of(table, speaker, answer) for face, answer in answers.items()}
        found.add(f"throw:{proposal.id}", told)
    return found


def lead_of(table: Table, speaker: Speaker, answer: Answer) -> Lead:
    """Try one answer on a copy, and tell what it leads to."""
    preview = _tried(table, answer)
    return Lead() if preview is None else _lead(speaker, preview)


def _tried(table: Table, answer: Answer) -> Preview | None:
    try:
        return table.preview(answer)
    except NoSuchKey:
        return None


def _lead(speaker: Speaker, preview: Preview) -> Lead:
    if preview.needs:
        return Lead((speaker.ui("asks_the_box"),))
    return Lead(_sentences(speaker, preview), preview.objections)


def _ways_on(
    table: Table, speaker: Speaker, question: Question, seat: str | None
) -> tuple[Way, ...]:
    """Return the ways on that say something of their own; two that lead to the same are one."""
    ways: list[Way] = []
    previews: list[Preview] = []
    for act, value in _other_answers(question).items():
        preview = _tried(table, Answer(question.key, value, seat))
        if preview is None or preview in previews:
            continue
        previews.append(preview)
        lead = _lead_beside(speaker, question, preview)
        if act == "happened" and not preview.objections:
            told = speaker.of_question(f"{act}_more", question.key)
            if told or not lead.sentences:
                lead = Lead((told or speaker.ui("nothing_noted"),))
        label = speaker.of_question(act, question.key) or speaker.ui(act)
        ways.append(Way(act, label, lead))
    return tuple(ways)


def _lead_beside(speaker: Speaker, question: Question, preview: Preview) -> Lead:
    """Return a lead that does not say again what stands above it as the question."""
    lead = _lead(speaker, preview)
    own = tuple(s for s in lead.sentences if s != speaker.tell(question.say))
    if lead.sentences and not own:
        own = (speaker.of_question("then", question.key) or lead.sentences[0],)
    return Lead(own[:_MOST_OF_A_WAY], lead.objections)


def _other_answers(question: Question) -> dict[str, Value]:
    """Return the default, where no button of the question gives it, and "it happened"."""
    wants, default, found = question.wants, question.default, dict[str, Value]()
    one_of = isinstance(wants, Pick) and wants.at_most == 1
    if default is not None and not one_of and not (question.done and default == Done()):
        found["go_on"] = default
    few = isinstance(wants, CardOf) and not wants.at_least and len(wants.options) <= _FEW_CARDS
    if question.done and not few:
        found["happened"] = Done()
    return found


def _asked(question: Question, seat: str | None) -> bool:
    return not question.seats or seat in question.seats


def _tappable(question: Question, seat: str | None) -> Sequence[Option]:
    wants = question.wants
    if not _asked(question, seat) or not isinstance(wants, Pick) or wants.at_most != 1:
        return ()
    return wants.options if len(wants.options) <= _MOST_OPTIONS else ()


def _settled(proposal: Proposal) -> dict[str, Proposal]:
    """Return the throw with its one doubt settled either way; as it is where there is none."""
    doubts = [n for n, die in enumerate(proposal.dice) if die.unsure]
    if not proposal.question or proposal.missing or len(doubts) > 1:
        return {}
    if not doubts:
        return {"": proposal}
    if proposal.dice[doubts[0]].side is None:
        return {}
    return {face: _with_face(proposal, doubts[0], face) for face in proposal.faces}


def _with_face(proposal: Proposal, index: int, face: str) -> Proposal:
    dice = list(proposal.dice)
    dice[index] = msgspec.structs.replace(dice[index], face=face)
    return msgspec.structs.replace(proposal, dice=tuple(dice))


def _throws(look: Look, proposal: Proposal) -> bool:
    asked = next((q for q in look.questions if q.key == proposal.question), None)
    return asked is not None and _asked(asked, look.seat)


def _sentences(speaker: Speaker, preview: Preview) -> tuple[str, ...]:
    told = _outcome_within(speaker, preview)
    if not told:
        told = [
            f"{speaker.tell(c.label)} {speaker.shown(c.before)} \u2192 {speaker.shown(c.after)}"
            for c in preview.changes
            if not c.readers and type(c.before) is int and type(c.after) is int  # no flag, none new
        ]
    return tuple(dict.fromkeys(told))


def _outcome_within(speaker: Speaker, preview: Preview) -> list[str]:
    """Tell what would happen: the first thing, and then at once how it comes out, if it does."""
    rest = from_outcome(speaker, preview.told)
    sentences = rest if len(rest) == len(preview.told) else (preview.told[0], *rest)
    lines = [text for sentence in sentences if (text := speaker.tell(sentence))]
    return [line[:1].upper() + line[1:] for line in lines]
