"""Who may call a service, decided before it starts: it never stands open by an oversight."""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.host.settings import ServiceSettings
from guncamera.sessions.keys import list_keys
from guncamera.sessions.store import SessionStore, StoreError

MAKE_ONE = "guncamera keys create --scope play"


class ServiceError(Exception):
    """The service could not start or go on; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Entrance:
    """Who may call a service, in a sentence, and what is unsafe about that."""

    sentence: str
    unsafe: tuple[str, ...] = ()


def who_may_call(settings: ServiceSettings, store: SessionStore, now_micros: int) -> Entrance:
    """Who may call the service.

    Raises:
        ServiceError: It would let nobody in, or nobody has said that it may let everyone in.
    """
    try:
        keys = list_keys(store)
    except StoreError:
        return Entrance("keys cannot be read yet: the store does not answer")
    if keys:
        alive = sum(1 for key in keys if key.is_alive(now_micros))
        if not alive:
            return Entrance(f"no key is alive, so nobody is let in; `{MAKE_ONE}` makes one")
        return Entrance(f"callers need a key ({alive} alive) or a seat's token")
    if settings.may_be_open:
        return Entrance(
            "everyone may call",
            (
                "Open to all: there is no key, so the service stands open: whoever reaches it may "
                "make and delete sessions and act for seats nobody has claimed, and on this "
                f"machine that includes pages in your browser. Make a key: {MAKE_ONE}.",
            ),
        )
    if settings.open == "no":
        raise ServiceError(f"There is no key, so nobody could call. Make one: {MAKE_ONE}")
    reached = " and ".join(settings.reached_from_elsewhere)
    raise ServiceError(
        f"Other machines reach {reached}, and there is no key, so everyone could call. Make one "
        f"({MAKE_ONE}), or say --open if that is meant."
    )
