"""What a rule set says of its sheets, in `aid.toml`: what is needed together, and in what words.

It names rules and no more: what stands on the sheets is the book's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from guncamera.rules.plain import from_plain
from guncamera.rules.table import read_toml

_FILE = "aid.toml"


@dataclass(frozen=True, slots=True)
class Section:
    """What is needed together at the table.

    Attributes:
        rules: Ids of rules, in the order in which they are needed; `KET-5` stands for all of its
            chapter. A rule stands in the first section that names it, and its tables with it.
    """

    title: str
    rules: tuple[str, ...]

    def picked(self, among: Iterable[str]) -> Iterator[str]:
        """Those of some ids that the section names, in its order."""
        left = list(among)
        for named in self.rules:
            here = [one for one in left if one == named or one.startswith(f"{named}.")]
            yield from here
            left = [one for one in left if one not in here]


@dataclass(frozen=True, slots=True)
class Aid:
    """How the sheets of a rule set are laid out; of one that says nothing, by its tables.

    Attributes:
        words: What a name of a figure, row or column is called.
    """

    sections: tuple[Section, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)

    def called(self, name: str) -> str:
        """A name as it is said: `dive_limit_metres` as `deepest dive (metres)`."""
        return self.words.get(name, name)


@cache
def aid_of(slug: str) -> Aid:
    """The aid of a rule set; an empty one if it has none.

    Raises:
        Malformed: A section is not one.
    """
    package = f"guncamera.rulesets.{slug}"
    if not resources.files(package).joinpath(_FILE).is_file():
        return Aid()
    said = read_toml(package, _FILE)
    found = enumerate(said.get("section", ()))
    sections = tuple(from_plain(Section, one, f"section[{at}]") for at, one in found)
    return Aid(sections, said.get("words", {}))
