"""The pages under `docs/readings`: our words, with what the rule sets' files add to each entry.

An entry is a heading, `### C14. Must a strike be met?`, and a paragraph or more by hand. The list
below is drawn from the rule set: the settings that bear the number, the rules whose source names
it, and the other files that do. `make readings` writes the lists anew.
"""

import re
import tomllib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "readings"
CASES = ROOT / "tests" / "cases"
RULESETS = ROOT / "service" / "guncamera" / "rulesets"
SLUGS = sorted(path.stem for path in PAGES.glob("*.md") if path.stem != "README")

READ_ENTRY_BY_ENTRY = {"rules.toml", "settings.toml"}

# How a register numbers its doubts and its house rules, its page says; sections are bare numbers.
NUMBERS = re.compile(r"^<!-- numbers: (.+) -->$", re.MULTILINE)
ITEM = r"(?:HR-\d+[a-z]?|A-\d+|[CRVT]\d+|\d+(?:\.\d+)?[a-z]?)"
JOINT = r"(?:,? and |, | to )(?:sections? )?"
SECTIONS = re.compile(
    rf"\b(?:register sections?|register|sections?) ({ITEM}(?:{JOINT}{ITEM})*)"
    r"(?:, ([A-Z][A-Za-z ]+))?"
)
PARAGRAPH = re.compile(r"^### (\d+ [A-Z][a-zA-Z ]+)\. ", re.MULTILINE)
HEADING = re.compile(r"^### (\S+?(?: [A-Z][a-zA-Z ]+)?)\. (.+)$", re.MULTILINE)
FROM_TO = re.compile(r"(\d+)\.(\d+) to \1\.(\d+)")
LETTERED = re.compile(r"^((?:HR-)?[\d.]+)[a-z]$")


@dataclass
class Cited:
    """Where a number is cited: settings in their order, rules, and other files."""

    settings: list[dict[str, Any]] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    files: set[str] = field(default_factory=set)


def citations(slug: str) -> dict[str, Cited]:
    """Every number of the register that the rule set cites; HR-5a stands under HR-5."""
    found: dict[str, Cited] = defaultdict(Cited)
    for setting in _entries(slug, "settings.toml", "setting"):
        for note in setting["note"].split(", "):
            found[_key(note.removeprefix("section "))].settings.append(setting)
    for rule in _entries(slug, "rules.toml", "rule"):
        for key in numbers_in(slug, rule["source"]):
            found[key].rules.append(rule["id"])
    for path in sorted((RULESETS / slug).iterdir()):
        if path.suffix in {".py", ".toml", ".md"} and path.name not in READ_ENTRY_BY_ENTRY:
            for key in numbers_in(slug, path.read_text(encoding="utf-8")):
                found[key].files.add(path.name)
    return dict(found)


def cited_by_cases(slug: str) -> set[str]:
    """The numbers that the cases' sources cite, their own worked examples left out."""
    texts = [p.read_text(encoding="utf-8") for p in (CASES / slug).rglob("*.toml")]
    sources = {x for text in texts for x in re.findall(r'^source = "(.*)"', text, re.MULTILINE)}
    found = {number for source in sources for number in numbers_in(slug, source)}
    return {number for number in found if not re.fullmatch(r"[KTV]\d+", number)}


def numbers_in(slug: str, text: str) -> list[str]:
    """The numbers that a text cites, each once, as the headings have them."""
    flat = re.sub(r"\s*\n\s*(?:# )?", " ", text)
    keys = [_key(number) for number in re.findall(rf"\b{_pattern(slug)}\b", flat)]
    for listed, after in SECTIONS.findall(flat):
        items = re.findall(ITEM, FROM_TO.sub(_spread, listed))
        named = [x for x in paragraphs(slug) if f"{items[-1]} {after}".startswith(x)]
        keys.extend(_key(item) for item in [*items[: len(items) - len(named)], *named])
    if re.match(r"house\b", flat):
        keys.append("house")
    return list(dict.fromkeys(keys))


def page(slug: str) -> str:
    """The page as it stands."""
    return (PAGES / f"{slug}.md").read_text(encoding="utf-8")


def paragraphs(slug: str) -> set[str]:
    """The entries that are paragraphs of a section, such as `9 Guns`."""
    return set(PARAGRAPH.findall(page(slug)))


def keys_of(text: str) -> list[str]:
    """The numbers that a page has entries for, in order."""
    return [key for key, _ in HEADING.findall(text)]


def by_hand(text: str) -> str:
    """A page without its drawn lists."""
    return re.sub(r"^- .*\n", "", text, flags=re.MULTILINE)


def drawn(slug: str) -> str:
    """The page with the lists that the rule set's files give now."""
    cited = citations(slug)
    head, *entries = re.split(r"(?m)^(?=### )", page(slug))
    return (head + "".join(_with_list(entry, cited) for entry in entries)).rstrip() + "\n"


def settings_named(slug: str) -> set[str]:
    """The names of all settings of the rule set."""
    return {setting["name"] for setting in _entries(slug, "settings.toml", "setting")}


def rules_named(slug: str) -> set[str]:
    """The ids of all rules of the rule set."""
    return {rule["id"] for rule in _entries(slug, "rules.toml", "rule")}


def _pattern(slug: str) -> str:
    found = NUMBERS.search(page(slug))
    assert found, f"docs/readings/{slug}.md does not say how it numbers its entries"
    return found[1]


def _entries(slug: str, name: str, kind: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = tomllib.loads(
        (RULESETS / slug / name).read_text(encoding="utf-8")
    )[kind]
    return entries


def _spread(match: re.Match[str]) -> str:
    section, first, last = (int(number) for number in match.groups())
    return ", ".join(f"{section}.{number}" for number in range(first, last + 1))


def _key(number: str) -> str:
    lettered = LETTERED.match(number)
    return lettered.group(1) if lettered else number


def _with_list(entry: str, cited: dict[str, Cited]) -> str:
    prose, part, after = by_hand(entry).partition("\n## ")
    lines = _lines(cited.get(keys_of(entry)[0], Cited()))
    return (
        f"{prose.rstrip()}\n\n"
        + "".join(f"- {x}\n" for x in lines)
        + f"{part}{after}".rstrip()
        + ("\n\n" if part else "\n")
    )


def _lines(cited: Cited) -> list[str]:
    lines = [_setting_line(setting) for setting in cited.settings] or ["No setting."]
    if cited.rules:
        lines.append(f"Rules: {', '.join(cited.rules)}.")
    if cited.files:
        lines.append(f"Also cited in {', '.join(f'`{name}`' for name in sorted(cited.files))}.")
    return lines


def _setting_line(setting: dict[str, Any]) -> str:
    numbers = ", ".join(n for n in setting["note"].split(", ") if LETTERED.match(n))
    where = ", ".join(filter(None, [numbers, setting["rule"]]))
    return (
        f"Setting `{setting['name']}` ({where}). {setting['title']}. "
        f"{_values(setting)} Why: {setting['reason']}"
    )


def _values(setting: dict[str, Any]) -> str:
    default = setting["default"]
    if "choices" not in setting:
        step = f" in steps of {setting['step']}" if "step" in setting else ""
        return f"Default {default}; {setting['low']} to {setting['high']}{step}."
    said = {choice["value"]: _value(choice) for choice in setting["choices"]}
    return " Or ".join([f"Default {said.pop(default)}.", *(f"{x}." for x in said.values())])


def _value(choice: dict[str, Any]) -> str:
    value, means = _shown(choice["value"]), choice["means"]
    return f"`{value}`" if means.replace(",", "") == value else f"`{value}`: {means}"


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def main() -> None:
    """Write the lists of all pages anew."""
    for slug in SLUGS:
        (PAGES / f"{slug}.md").write_text(drawn(slug), encoding="utf-8")


if __name__ == "__main__":
    main()
