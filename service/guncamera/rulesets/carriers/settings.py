"""The house readings as one value, a field for each; `settings.toml` says what each means."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CarriersSettings:
    """The settings of one session, every one of them decided."""

    # Set-up
    fleet_rule: str
    fighters_per_carrier: int
    dive_bombers_per_carrier: int
    torpedo_planes_per_carrier: int
    patrol_cards: int
    us_torpedo_plane: str
    kate_swap: bool
    table_depth_inches: int
    line_capacity: int
    # Course of a turn
    first_player: str
    initiative_tie: str
    placing_first: str
    swap_cost: str
    line_entry: str
    alternation: str
    strike_order: str
    max_turns: int
    # Cards
    any_card_cap: bool
    adjacent_cap: bool
    recon_cards: str
    cap_use: str
    cap_strikes: bool
    strike_base: str
    strike_interception: str
    intercepted_cards: str
    fourth_number: str
    interceptors: str
    flown_cards: str
    passing: str
    # Flights
    range_rule: str
    distance: str
    strike_needs_recon: bool
    bomb_number_for_dive: bool
    minus_one: str
    strike_shows: str
    # What is seen
    ships_hidden: str
    reveal_length: str
    interceptor_shown: str
    damage_reports: str
    # Damage
    stacking: str
    die_floor: bool
    void_rows: str
    carrier_five_six: str
    carrier_damage_lasts: str
    deck_hit_card: bool
    out_of_commission_ship: str
    turret_six: str
    bridge_effect: str
    director_effect: str
    gunnery_effect: str
    class_change: str
    torpedo_six: str
    first_six: str
    flooding: bool
    lost_ship_cards: str
    # The end
    no_carrier_end: bool
    no_ships_end: bool
    equal_points: str
    points_out_of_commission: int
    points_battleship: int
    points_cruiser: int
    points_destroyer: int
    points_key: int
    points_belt: int
    points_dead_in_water: int
