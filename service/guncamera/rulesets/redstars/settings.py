"""The house readings as one value, a field for each; `settings.toml` says what each means."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RedstarsSettings:
    """The settings of one session, every one of them decided."""

    # Choice and order
    ring_break: str
    move_ties: str
    tie_break: str
    tie_rolls: int
    tail_move_order: str
    tail_fire_order: str
    # Geometry
    disc_mils: int
    points: int
    tweak_degrees: int
    gun_half_arc: int
    rear_half_arc: int
    crossing: str
    beam_degrees: int
    flexible_half_arc: int
    collision_distance: str
    table_edge: str
    agility_limits: str
    altitude_cards: str
    unnamed_cards: str
    # Tailing
    tail_needs_nose: bool
    tail_range_mils: int
    tail_altitude: int
    tail_targets: str
    tail_reveals_speed: bool
    trade_needs_disc: bool
    trades_a_move: str
    # Speed, altitude, stall, spin, glide
    climb_1_speed: int
    dive_1_speed: int
    dive_3_speed: int
    dive_4_speed: int
    split_s_speed: int
    split_s_bands: int
    immelmann_bands: int
    immelmann_speed: int
    extreme_discs: str
    hard_turn_speed: int
    altitude_ceiling: int
    overspeed: str
    accelerate_cap: str
    stall_check: str
    stall_recovery: str
    spin_scatter: int
    spin_drift: str
    spinning_fire: str
    glide_failure: str
    glide_actions: str
    glide_tweaks: str
    glider_landing: str
    # Tests
    damaged_tests: str
    half_damage: str
    engine_test_rating: bool
    airframe_tests: str
    # Fire
    vertical_bonus: bool
    behind_bonus: str
    tailing_bonus: str
    extreme_penalty: str
    flexible_arc_rule: str
    gunner_rating: str
    gunner_lost: str
    mixed_weapons: str
    special_count: str
    flammable: str
    flammable_damage: str
    risk_trigger: str
    sniper_mounts: bool
    sniper_risk: str
    oil_leak: str
    oil_leak_again: str
    rocket_salvo: str
    # Damage
    engine_hit: str
    engine_marked: str
    top_speed_again: str
    top_speed_held: str
    fire_stacking: str
    fire_timing: str
    smoke: str
    lost_die: str
    lost_rocket: str
    results: str
    firing_order: str
    takeover_fire: str
    own_side: str
    boxes_out_of_range: str
    second_wound: str
    severe_wound: str
    takeover: str
    takeover_tries: str
    third_man: str
    observer_rating: int
    risk_after_handover: str
    shot_down: str
    # Ramming and collision
    head_on: str
    nose_to_nose_degrees: int
    ram_slots: str
    collision_damage_dice: int
    crash_outcome: str
    missed_ram: str
    tailing_collision: bool
    rammed_pair: str
    # End
    victory: str
    losses_counted: str
    end_order: str
    duel_altitude: int
    duel_inches: int
