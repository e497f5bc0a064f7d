"""The house readings as one value, a field for each; `settings.toml` says what each means."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CircusSettings:
    """The settings of one session, every one of them decided."""

    # Map and codes
    map_columns: int
    map_rows: int
    map_edge: str
    stacking: str
    # Movement points, turning, climbing
    turn_cost: str
    turn_loss: str
    worse_than_d: str
    acceleration_mp: int
    braking_mp: int
    climbing_acceleration: str
    climb_per_hex_feet: int
    ceiling: str
    climb_steps: str
    gentle_climb: str
    gentle_zoom: str
    stall_recovery: str
    stall_fire: str
    stall_ends_mp: int
    landing: str
    power_off: str
    glide_ends_mp: int
    engine_loss: str
    # Dives and energy
    shallow_dive_points: str
    steep_dive_cost: str
    steep_dive_moves: str
    dive_energy: str
    power_dive_energy: str
    power_dive_feet: int
    power_dive_goes_on: str
    pull_out_half: str
    pull_out_dive: str
    ke_loss: str
    ke_loss_mp: int
    drag_mp: int
    shallow_dive_energy: str
    zoom_energy: str
    pull_out_energy: str
    energy_limit: str
    zoom_climb: str
    over_speed_from: str
    over_speed_turns: str
    over_speed_adjustment: str
    # Special manoeuvres
    yo_yo_after_yo_yo: str
    hammerhead_exit: str
    hammerhead_exit_mp: int
    hammerhead_loss_feet: int
    reversal_mp: int
    reversal_feet: int
    reversal_hexes: int
    hang_feet: int
    displacement_loss_feet: int
    loop_size: str
    loop_loss_feet: int
    barred_side: str
    loop_dive: str
    # Stress
    stress_acts: str
    forced_dive_check: str
    stress_column: str
    power_dive_check: str
    gunfire_structure: str
    fragile_limit: str
    cracked_midway: str
    cracked_wings: str
    # Spotting
    cloud_heights: str
    cloud_sides: str
    blind_spots: str
    up_sun: str
    formation: str
    spotting_distance: str
    spotting_memory: str
    shooter_seen: str
    hidden_shooter: str
    spotted_to_fire: str
    # Fire
    front_arc: str
    front_arc_alternate: str
    ring_arc: str
    pin_arc: str
    front_pin_arc: str
    firing_clock: str
    flexible_gun_vertical: str
    vertical_nose: str
    between_rows: str
    shot_moment: str
    hanging_target: str
    gunner_below: str
    die_limits: str
    gun_rest: str
    drum_change_phases: int
    drum_change_phases_alternate: int
    early_change: str
    jam_penalty: str
    jam_clearing: str
    jam_tried: str
    falling_gunner: str
    second_wound_die: str
    # Damage
    crew_die: str
    dead_crew_hit: str
    critical_test: str
    critical_dice: str
    critical_sum: str
    damage_limit: str
    fire_harm: str
    fire_order: str
    fire_begins: str
    second_fire: str
    oil_leak: str
    leak_tested: str
    second_leak: str
    # Pilots and the end of the game
    standard_resolution: int
    broken_pilot: str
    campaign_limits: str
    landed_kill: str
    kill_shot: str
    victory: str
