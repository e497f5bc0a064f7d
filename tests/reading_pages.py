"""The pages under `docs/readings`: our words, with what the rule sets' files add to each entry.

An entry is a heading, `### C14. Must a strike be met?`, and a paragraph or more by hand. The list
below is drawn from the rule set: the settings that bear the number, the rules whose source names
it, and the other files that do. `python tests/reading_pages.py` writes the lists anew.
"""

import re
import tomllib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "readings"
RULESETS = ROOT / "service" / "guncamera" / "rulesets"
SLUGS = ("carriers", "circus", "kettering", "redstars")

# How each register numbers its doubts and its house rules; its sections are bare numbers.
NUMBERS = {
    "carriers": r"C\d+",
    "circus": r"(?:HR-\d+|A-\d+)",
    "kettering": r"HR-\d+[a-z]?",
    "redstars": r"(?:[RV]\d+|HIST-\d+)",
}
ITEM = r"(?:HR-\d+[a-z]?|A-\d+|[CRVT]\d+|\d+(?:\.\d+)?[a-z]?)"
JOINT = r"(?:,? and |, | to )(?:sections? )?"
SECTIONS = re.compile(
    rf"\b(?:register sections?|register|sections?) ({ITEM}(?:{JOINT}{ITEM})*)"
    r"(?:, ([A-Z][a-z]+(?: [a-z]+)?))?"
)
PARAGRAPH = re.compile(r"### (9 [A-Z][a-zA-Z ]+)\. ")
HEADING = re.compile(r"^### (\S+(?: [A-Z][a-zA-Z ]+)?)\. (.+)$", re.MULTILINE)
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
        if path.suffix in {".py", ".toml", ".md"} and path.name not in {
            "rules.toml",
            "settings.toml",
        }:
            for key in numbers_in(slug, path.read_text(encoding="utf-8")):
                found[key].files.add(path.name)
    return dict(found)


def numbers_in(slug: str, text: str) -> list[str]:
    """The numbers that a text cites, each once, as the headings have them."""
    flat = re.sub(r"\s*\n\s*(?:# )?", " ", text)
    keys = [_key(number) for number in re.findall(rf"\b{NUMBERS[slug]}\b", flat)]
    for listed, paragraph in SECTIONS.findall(flat):
        items = re.findall(ITEM, listed)
        if f"9 {paragraph}" in paragraphs(slug) and items[-1] == "9":
            items[-1] = f"9 {paragraph}"
        keys.extend(_key(item) for item in items)
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
    return head + "".join(_with_list(entry, cited) for entry in entries)


def settings_named(slug: str) -> set[str]:
    """The names of all settings of the rule set."""
    return {setting["name"] for setting in _entries(slug, "settings.toml", "setting")}


def rules_named(slug: str) -> set[str]:
    """The ids of all rules of the rule set."""
    return {rule["id"] for rule in _entries(slug, "rules.toml", "rule")}


def _entries(slug: str, name: str, kind: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = tomllib.loads(
        (RULESETS / slug / name).read_text(encoding="utf-8")
    )[kind]
    return entries


def _key(number: str) -> str:
    lettered = LETTERED.match(number)
    return lettered.group(1) if lettered else number


def _with_list(entry: str, cited: dict[str, Cited]) -> str:
    key = HEADING.findall(entry)[0][0]
    prose, *after = re.split(r"(?m)^(?=## )", by_hand(entry))
    lines = _lines(cited.get(key, Cited()))
    return f"{prose.rstrip()}\n\n" + "".join(f"- {x}\n" for x in lines) + "\n" * bool(after or 1) + (
        "".join(after)
    )


def _lines(cited: Cited) -> list[str]:
    lines = [_setting_line(setting) for setting in cited.settings] or ["No setting."]
    if cited.rules:
        lines.append(f"Rules: {', '.join(cited.rules)}.")
    if cited.files:
        lines.append(f"Also cited in {', '.join(f'`{name}`' for name in sorted(cited.files))}.")
    return lines


def _setting_line(setting: dict[str, Any]) -> str:
    lettered = LETTERED.match(setting["note"])
    note = f"{setting['note']}, " if lettered else ""
    return (
        f"Setting `{setting['name']}` ({note}{setting['rule']}): {_lower(setting['title'])}. "
        f"{_values(setting)} Why: {_lower(setting['reason'])}"
    )


def _values(setting: dict[str, Any]) -> str:
    default = setting["default"]
    if "choices" not in setting:
        step = f" in steps of {setting['step']}" if "step" in setting else ""
        return f"Default {default}; {setting['low']} to {setting['high']}{step}."
    means = {_shown(choice["value"]): choice["means"] for choice in setting["choices"]}
    first = f"Default `{_shown(default)}`: {means.pop(_shown(default))}."
    return first + "".join(f" Or `{value}`: {meaning}." for value, meaning in means.items())


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _lower(text: str) -> str:
    """A sentence goes on after a colon; names and initials keep their capital."""
    first, second = text[0], text[1:2]
    return first.lower() + text[1:] if second.islower() or second == " " else text


def main() -> None:
    """Write the lists of all pages anew."""
    for slug in SLUGS:
        text = drawn(slug)
        (PAGES / f"{slug}.md").write_text(text.rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
