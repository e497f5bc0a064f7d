"""Players and onlookers over REST."""

from guncamera_client import RestClient
from mix import Player, Watcher


class RestUser(Player):
    """One player with an HTTP client."""

    make_client = RestClient


class RestWatcher(Watcher):
    """One onlooker with an HTTP client."""

    make_client = RestClient
