"""Players over REST."""

from guncamera_client import RestClient
from mix import Player


class RestUser(Player):
    """One player with an HTTP client."""

    make_client = RestClient
