"""The style of the picture, in light and dark, and the shapes that are drawn more than once."""

from __future__ import annotations

from collections.abc import Mapping

AIRCRAFT_SHAPE = (
    "M42-2L40-6L27-8V-44Q27-48 22-48H11Q6-48 6-43V-8L-28-4V-15Q-28-19-32-19H-38Q-42-19-42-15V15"
    "Q-42 19-38 19H-32Q-28 19-28 15V4L6 8V43Q6 48 11 48H22Q27 48 27 44V8L40 6L42 2ZM44-16H48V16H44Z"
)
CROSS_SHAPE = "M-4-2.5L-2.5-4L0-1.5L2.5-4L4-2.5L1.5 0L4 2.5L2.5 4L0 1.5L-2.5 4L-4 2.5L-1.5 0Z"
FLAME_SHAPE = "M0-6C1-3 4-2 4 2C4 4.5 2 6 0 6S-4 4.5-4 2C-4 0-3-1-2-2C-2 0-1 0-1 0C-1-2-1-4 0-6Z"
FLAG_SHAPE = "M-3.5-6H-2.3V-5L4-5L2.5-2L4 1H-2.3V6H-3.5Z"
CRACK_SHAPE = "M1-6L-3 0H0L-2 6L4-1.5H1L3-6Z"
HANG_SHAPE = "M0-6L4.5-1H1.5V3H-1.5V-1H-4.5ZM-4 4.5H4V6H-4Z"
PLUNGE_SHAPE = "M-4.5-6H4.5L0-.5ZM-4.5 0H4.5L0 5.5Z"
DROP_SHAPE = "M0-6C2-2 4 0 4 2.5C4 4.5 2 6 0 6S-4 4.5-4 2.5C-4 0-2-2 0-6Z"
STAR_SHAPE = (
    "M0-10L2.7-5.6L7-7L5.6-2.7L10 0L5.6 2.7L7 7L2.7 5.6L0 10L-2.7 5.6L-7 7"
    "L-5.6 2.7L-10 0L-5.6-2.7L-7-7L-2.7-5.6Z"
)
SUN_SHAPE = STAR_SHAPE
STEPS: Mapping[str, str] = {
    "level": "M-1.8 0A1.8 1.8 0 1 0 1.8 0A1.8 1.8 0 1 0-1.8 0Z",
    "climbing": "M0-4L3.6 2.5H-3.6Z",
    "shallow_dive": "M0 4L3.6-2.5H-3.6Z",
    "steep_dive": "M0 4L3.6-2.5H-3.6Z",
    "power_dive": "M-3.6-4H3.6L0 0ZM-3.6 .5H3.6L0 4.5Z",
    "hammerhead": "M-4 3.5L0-4.5L4 3.5L0 1Z",
    "hanging": "M-4.5 0A4.5 4.5 0 1 0 4.5 0A4.5 4.5 0 1 0-4.5 0Z",
    "manoeuvring": "M0-3.8L3.8 0L0 3.8L-3.8 0Z",
}
MARKS: Mapping[str, str] = {
    "fire": FLAME_SHAPE,
    "broken": FLAG_SHAPE,
    "damage": CRACK_SHAPE,
    "hanging": HANG_SHAPE,
    "plunging": PLUNGE_SHAPE,
    "leak": DROP_SHAPE,
}
MARK_WORDS: Mapping[str, str] = {
    "fire": "on fire",
    "broken": "broken",
    "damage": "damaged",
    "hanging": "hanging",
    "plunging": "plunging",
    "leak": "oil leak",
}
STEP_WORDS: Mapping[str, str] = {
    "level": "level",
    "climbing": "climb",
    "shallow_dive": "shallow dive",
    "steep_dive": "steep dive",
    "power_dive": "power dive",
    "hammerhead": "hammerhead",
    "hanging": "hang",
    "manoeuvring": "manoeuvre",
}
STYLE = """
:root.cir{background:#fbfaf6}
@media (min-width:700px) and (min-aspect-ratio:1/1){
:root.cir{width:560px;height:auto;display:block;margin:auto}}
.page{fill:#fbfaf6}
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-size:13px;fill:#1d1b16}
.head{font-size:17px;font-weight:700}.strong{font-weight:700}.soft{font-size:12px;fill:#57534a}
.small{font-size:12px}.least{font-size:11px;fill:#57534a}.hurt{font-size:12px;font-weight:600;fill:#8f1d17}
.name{font-size:11px;fill:#8b866f}
.ruler{font-size:11px;fill:#57534a;paint-order:stroke;stroke:#e9ecdd;stroke-width:3px}
.hex{fill:#e9ecdd;stroke:#c3c5ae}.off{fill:#d3d0c6}.rim{fill:none;stroke:#8a8373}.paper{fill:#f3f1e9}
.under{fill:#c9d2dc;opacity:.65}.cloud{fill:#fff;stroke:#8593a3;stroke-width:4}.far{stroke-width:.6}
.haze{font-size:11px;font-weight:600;fill:#3c4a59}
.first{fill:#a3211a;stroke:#fffdf7}.second{fill:#fffdf7;stroke:#0c4a86}
.first-words{fill:#8f1d17}.second-words{fill:#0c4a86}
.piece{stroke-linejoin:round;paint-order:stroke}
.way{fill:none;stroke-width:2;stroke-linejoin:round}.way.first{stroke:#a3211a;fill:none}
.way.second{stroke:#0c4a86;fill:none;stroke-dasharray:5 2.5}
.step{stroke-width:1.2}.step.first{fill:#a3211a;stroke:#fffdf7}.step.second{fill:#0c4a86;stroke:#fffdf7}
.step.open{fill:#fffdf7}.step.open.first{stroke:#a3211a}.step.open.second{stroke:#0c4a86}
.chip{stroke-width:1.5}.chip.first{fill:#a3211a;stroke:#fffdf7}.chip.second{fill:#fffdf7;stroke:#0c4a86}
.tag{font-size:11px}.tag.first{fill:#fff;stroke:none}.tag.second{fill:#0c4a86;stroke:none}
.tie{stroke:#57534a;stroke-width:1}
.home{fill:none;stroke-width:2.5}.home.first{stroke:#a3211a}.home.second{stroke:#0c4a86;stroke-width:1.5}
.shot{fill:none;stroke:#c2410c;stroke-width:2.2}.dart{fill:#c2410c}
.bears{fill:none;stroke:#57534a;stroke-width:1.6;stroke-dasharray:1 4;stroke-linecap:round}
.leg{stroke:#57534a;stroke-width:1.2;stroke-dasharray:4 2.5}
.used{fill:none;stroke:#c2410c;stroke-width:1.6}
.hit{fill:#fffdf7;stroke:#c2410c;stroke-width:1.5}.critical{fill:#ffb020;stroke:#9a3412;stroke-width:1.2}
.count{font-size:11px;font-weight:700;fill:#7c2408}.count.critical{fill:#1d1b16;stroke:none}
.lost{stroke-width:1.2}.lost.first{fill:#a3211a;stroke:#fffdf7}.lost.second{fill:#fffdf7;stroke:#0c4a86}
.mark{fill:#fffdf7;stroke:none}.mark.second{fill:#0c4a86;stroke:none}.mark.key{fill:#1d1b16}
.blaze{fill:#f97316;stroke:#7c2d12;stroke-width:.5}
.sun{fill:#f5b301;stroke:#8a5a00;stroke-width:.8}.frame{fill:none;stroke:#1d1b16;stroke-width:1.2}
.pip{fill:#3f6b3a}
.pip.gone{fill:none;stroke:#8a8373;stroke-width:.8}.grid{stroke:#c9c5b6;stroke-width:.8}
.rise{fill:none;stroke-width:2}.rise.first{fill:none;stroke:#a3211a}
.rise.second{fill:none;stroke:#0c4a86;stroke-dasharray:5 2.5}
@media (prefers-color-scheme:dark){
:root.cir{background:#16181b}.page{fill:#16181b}text{fill:#eceae4}
.soft,.least{fill:#b9b5aa}.hurt{fill:#ffaaa2}.name{fill:#7d8a80}
.ruler{fill:#b9b5aa;stroke:#232a26}
.hex{fill:#232a26;stroke:#404a44}.off{fill:#0e1012}.rim{stroke:#8b8779}.paper{fill:#1d2023}
.under{fill:#4a5867;opacity:.6}.cloud{fill:#74859a;stroke:#a9b8c9}.haze{fill:#0e1216}
.first{fill:#ff9d94;stroke:#101214}.second{fill:#101214;stroke:#93cbff}
.first-words{fill:#ff9d94}.second-words{fill:#93cbff}
.way.first,.rise.first{stroke:#ff9d94}.way.second,.rise.second{stroke:#93cbff}
.step.first{fill:#ff9d94;stroke:#101214}.step.second{fill:#93cbff;stroke:#101214}
.step.open{fill:#101214}.step.open.first{stroke:#ff9d94}.step.open.second{stroke:#93cbff}
.chip.first{fill:#ff9d94;stroke:#101214}.chip.second{fill:#101214;stroke:#93cbff}
.tag.first{fill:#2b0704}.tag.second{fill:#bfe0ff}.tie{stroke:#b9b5aa}
.home.first{stroke:#ff9d94}.home.second{stroke:#93cbff}
.shot,.used{stroke:#ffa25c}.dart{fill:#ffa25c}.bears,.leg{stroke:#b9b5aa}
.hit{fill:#101214;stroke:#ffa25c}.critical{fill:#ffc457;stroke:#5c2c00}
.count{fill:#ffc9a0}.count.critical{fill:#1d1b16}
.lost.first{fill:#ff9d94;stroke:#101214}.lost.second{fill:#101214;stroke:#93cbff}
.mark{fill:#2b0704}.mark.second{fill:#bfe0ff}.mark.key{fill:#eceae4}
.frame{stroke:#eceae4}.pip{fill:#8cc084}.pip.gone{stroke:#8b8779;fill:none}.grid{stroke:#3c4043}
}
"""
