"""The file of the variant that an event is played by: read, pinned, and kept in its folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from guncamera_tournament.event import Event, PlayedVariant
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.stock import imprint_of

VARIANT = "variant.toml"
"""The copy in the folder of an event."""
_FIELD = "variant"


def with_variant(folder: Path, event: Event) -> tuple[Event, str]:
    """The event, pinned to its variant, and the text of that; as it is where it has none.

    Args:
        folder: Of the event, which the file's name is seen from.

    Raises:
        TournamentError: The file is none of its rule set, or another one than the event began with.
    """
    if not event.variant.file:
        return event, ""
    file = folder / event.variant.file
    found, text = read_pinned(file, event.ruleset)
    if event.variant.hash not in ("", found.hash):
        raise TournamentError(
            f"the event was begun by {event.variant.name} {event.variant.hash[:12]}, and {file} is "
            f"{found.name} {found.hash[:12]}. Put the one that it began with there, or begin "
            "another in a new folder.",
            field=_FIELD,
        )
    return replace(event, variant=found), text


def read_pinned(file: Path, ruleset: str) -> tuple[PlayedVariant, str]:
    """The variant of a file, pinned to its name and hash; and the file's text.

    Args:
        ruleset: The slug of the rule set that is played.

    Raises:
        TournamentError: The file is no variant of that rule set.
    """
    try:
        text = file.read_text(encoding="utf-8")
        slug, name, digest = imprint_of(text)
    except (OSError, ValueError, LookupError) as fault:
        raise TournamentError(
            f"{file}: {fault}; guncamera rules check tells of such a file.", field=_FIELD
        ) from None
    if slug != ruleset:
        raise TournamentError(
            f"{file}: a variant of {slug}, and {ruleset} is played.", field=_FIELD
        )
    return PlayedVariant(VARIANT, name, digest), text
