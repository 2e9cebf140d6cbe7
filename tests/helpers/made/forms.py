"""Collections of one form, which nobody wrote: letters, contracts and log entries that have most of
their words in common, and statements that differ in their figures.

A blank of a form is filled with words that only the document has, its own words. They come from
the even places of the lists below. Those of a stranger come from the odd places, so that a stranger
shares the form with the collection, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

_ROOTS = (
    "Ald Bram Cor Dun Ever Fen Gar Hal Ing Jar Kel Lang Mar Nor Orm Pen Quin Rad Sel Thorn "
    "Ulf Ven Wal Yar Ash Bel Cran Dray Elm Farn Gold Hex Ives Kirk Lyd Mel"
).split()
_ENDS = "well ford man by croft ley stow bridge ham wick ridge mere worth field don gate".split()
BLANKS: dict[str, Sequence[object]] = {
    "name": [root + end for root in _ROOTS for end in (*_ENDS, "")][:-1],
    "month": "January February March April June July August September October November "
    "December".split(),  # "may" is a word of the forms
    "day": range(2, 29),
    "year": range(1970, 2026),
    "sum": range(1_200, 98_000),
    "number": range(10_000, 99_999),
    "small": range(30, 100),
    "thing": "roof kettle gearbox window lantern boiler curtain hinge ladder mattress drainpipe "
    "carpet chimney cupboard harness mirror radiator staircase varnish wardrobe compressor "
    "bearing gasket funnel nozzle piston sprocket turbine valve winch anvil barrel bellows cable "
    "crate dynamo filter flange girder hopper intake jacket keel lever manifold nut outlet pulley "
    "rivet shaft tank thermostat trolley tube vat wedge wheel wire yoke zinc".split(),
    "quality": "amber blunt brittle charred cracked dented dull faded flooded frozen greasy hollow "
    "jammed leaking loose mouldy narrow oily pale porous rattling rusty scorched scratched shrill "
    "slack split stained sticky swollen tarnished torn twisted uneven warped worn".split(),
    "deed": "adjusted aligned balanced bolted brushed caulked cleaned coated cooled drained "
    "dried fastened flushed glazed ground hammered inspected levelled lubricated measured "
    "mended moved oiled painted patched polished primed pruned realigned rebuilt refitted reset "
    "rinsed sanded sealed sharpened soldered swept tightened trimmed washed weighed".split(),
}
_BLANK = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Filled:
    """A form and what stands in its blanks, in order."""

    form: str
    values: tuple[str, ...]

    @property
    def text(self) -> str:
        values = iter(self.values)
        return _BLANK.sub(lambda _: next(values), self.form)

    def edited(self, share: float, chance: Random) -> Filled:
        """Return the document with a share of its own words, one at least, replaced by words of
        their kind.
        """
        values, kinds = list(self.values), _BLANK.findall(self.form)
        for place in chance.sample(range(len(values)), max(1, round(share * len(values)))):
            others = BLANKS[kinds[place]][::2]
            while values[place] == self.values[place]:
                values[place] = str(chance.choice(others))
        return Filled(self.form, tuple(values))


def filled(form: str, chance: Random, stranger: bool = False) -> Filled:
    """Return a document of the form. Those that are strangers and those that are
    not have no own words in common.
    """
    kinds = _BLANK.findall(form)
    return Filled(form, tuple(str(chance.choice(BLANKS[kind][stranger::2])) for kind in kinds))


LETTER = """Dear {name} {name},

Your reference {small}-{year}

Re: your account {number}

We write to you about the account that you hold with our office. Our records show that the amount
of {sum} pounds, which became due on the first day of the month, has not been received.
We should be grateful if you would pay this amount within fourteen days of the date of this letter.
If you have paid in the meantime, please accept our thanks and take no notice of this reminder.
Should you be unable to pay the whole amount at once, our office will be glad to agree with you on
payment in parts. Please quote the number of your account whenever you write or telephone to us,
so that your enquiry can be dealt with without delay. If we do not hear from you, we shall have no
choice but to pass the matter on to our solicitors, whose costs would then be added to your debt.
Until then all that you have left with us is kept safe, and can be seen by day at our office.

Yours faithfully,
for the office of accounts
"""

ENTRY = (
    "Shift report, hall {small}. At the start of the shift the operator on duty took over from the "
    "earlier shift and read the instruments. The {quality} {thing} of unit {small} was {deed} and "
    "{deed} by {name}; its {thing} is {quality}. Reading {number}. No other events. All guards are "
    "in place, and the unit was returned to service."
)

_PARTS = {
    "party": "Supplier Client Carrier Owner".split(),
    "act": "deliver return inspect approve insure replace store mark repair accept".split(),
    "object": "goods documents deliverables premises equipment samples records materials".split(),
    "event": "receipt,termination,acceptance,notice,delivery,signature,invoice,completion".split(
        ","
    ),
    "ground": "negligence,delay,defect,breach,insolvency,force majeure,error,default".split(","),
}
_SENTENCES = [
    "The <party> shall <act> the <object> within thirty days of <event>, unless the <party> has "
    "agreed in writing to a later date.",
    "Where the <object> are affected by <ground>, the <party> may <act> them at the expense of the "
    "<party>, provided that <event> has taken place.",
    "Nothing in this clause limits the liability of the <party> for <ground> or for any loss that "
    "arises before <event>.",
    "The <party> warrants that the <object> are free from <ground> at the time of <event> and that "
    "it is entitled to <act> them.",
    "Any dispute about the <object> is first referred to the managers of both parties, who meet "
    "within ten working days of <event>.",
    "Failure of the <party> to <act> the <object> on time is deemed to be <ground>, and gives the "
    "<party> the right to withhold payment until <event>.",
]
_BLANKS_OF_CLAUSES = [
    "For the purposes of this clause the object is the {quality} {thing} at {name}, valued at {sum}"
    " pounds.",
    "Notices under this clause are sent to {name} {name}, {small} {name} Road, {name}.",
    "The work to be {deed} and {deed} is the {quality} {thing} with its {quality} {thing}, in the "
    "manner agreed on the {day} of {month} {year}.",
]


def _contract(clauses: int = 28) -> str:
    """Return the form of a contract: every other clause has something to fill in."""
    chance = Random(53)
    parts = [
        "Agreement number {number}, made on the {day} of {month} {year} between {name} {name} of "
        "{name} (the first party) and {name} {name} of {name} (the second party)."
    ]
    for clause in range(clauses):
        sentences = [
            re.sub(r"<(\w+)>", lambda part: chance.choice(_PARTS[part[1]]), pattern)
            for pattern in chance.sample(_SENTENCES, 3)
        ]
        if clause % 2:
            sentences.insert(1, _BLANKS_OF_CLAUSES[clause // 2 % len(_BLANKS_OF_CLAUSES)])
        parts.append(" ".join(sentences))
    return "\n\n".join(parts)


CONTRACT = _contract()
FORMS = {"letters": (LETTER, 60), "contracts": (CONTRACT, 300), "log entries": (ENTRY, 2000)}


def collection(name: str, seed: int = 53) -> list[Filled]:
    """Return the documents of one of FORMS."""
    form, count = FORMS[name]
    chance = Random(seed)
    return [filled(form, chance) for _ in range(count)]


STATEMENTS = {
    "short": "Net income {sum}, sales {sum}, {small} branches.",
    "long": (
        "Interim statement: in the {small} weeks that ended in June {year} the company had a net "
        "income of {sum} thousand and sales of {sum} thousand, with {small} branches and {number} "
        "shares in issue; the directors propose a dividend of {small} cents, payable in September "
        "to those who hold shares on the last day of August, and expect no change in the second "
        "half of the year."
    ),
}


def statements(name: str, count: int = 1000, seed: int = 53) -> list[str]:
    """Return statements of one form in families of ten: the first, and nine that differ from it in
    one figure each.
    """
    chance = Random(seed)
    found = dict[str, None]()
    while len(found) < count:
        first = filled(STATEMENTS[name], chance)
        family = {first.text: None}
        while len(family) < 10:
            family[first.edited(0, chance).text] = None
        found |= family
    return list(found)[:count]
