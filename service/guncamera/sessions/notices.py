"""What whoever runs the service may want to hear of, as it happens; nothing depends on it."""

from __future__ import annotations

from typing import Protocol

from guncamera.sessions.session import Action, Session


class Notices(Protocol):
    """Is told. It has to be quick, to raise nothing, and to be safe to share between threads."""

    def landed(self, session: Session, action: Action) -> None:
        """An action was appended for the first time; the session is the one it was ruled on in."""
        ...

    def parted(self, slug: str, where: str) -> None:
        """A recorded ruling of a rule set came out otherwise when it was made again.

        Args:
            where: `import` for a film somebody sent, `ledger` for an action in our own store.
        """
        ...


class Unheard:
    """Notices that nobody listens to."""

    def landed(self, session: Session, action: Action) -> None:
        """Nobody listens."""

    def parted(self, slug: str, where: str) -> None:
        """Nobody listens."""


UNHEARD = Unheard()
