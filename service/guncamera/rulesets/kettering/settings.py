"""The house readings as one value, a field for each; `settings.toml` says what each means."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KetteringSettings:
    """The settings of one session, every one of them decided."""

    map_width_hexes: int
    no_mans_land_south_row: int
    no_mans_land_north_row: int
    wind_faces: str
    partial_shift: str
    ignored_shift_wind: str
    crash_hex: str
    exit_row: str
    crash_credit: str
    allied_exit_credit: str
    lowest_speed_mp: int
    schedule_d_60: str
    untested_schedules: str
    worse_than_a: str
    facing_changes_in_hex: str
    first_hex_turn: str
    end_on_facing_change: str
    dive_bonus: str
    bonus_spending: str
    climb_and_dive: str
    overdive_percent: int
    overdive_shatters_at: int
    overdive_bonus: str
    stall_loss_metres: int
    ceiling_metres: int
    aircraft_gone: str
    boxed_in: str
    ground_dive: str
    overspeed: str
    half_rounding: str
    forced_loss: str
    sighting_hexes: int
    compared_bonus: str
    penalties: str
    two_faster: str
    speed_multiples: str
    speed_steps: str
    target_damage: str
    ammunition_counted: bool
    gun_jams: str
    unpublished_aircraft: str
    critical_hits: str
    jam_freed_on: int
    fuel_line_speed: str
    fuel_turns: int
    damage_over_half: str
    damage_three_quarters: str
    three_quarters_deduction: str
    damage_causes: str
    repeated_critical: str
    repeated_critical_score: str
    overdive_struts_score: str
    repair_short: str
    repair_price: str
    freed_jam: str
    traded_off: str
    score_floor: str
    aircraft_lost_score: str
    expectation: str
