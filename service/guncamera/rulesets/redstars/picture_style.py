"""The style of the picture, in light and dark, and the shapes that are drawn more than once."""

from __future__ import annotations

from collections.abc import Mapping

AIRCRAFT_SHAPE = (
    "M-2-42L-6-40L-8-27H-44Q-48-27-48-22V-11Q-48-6-43-6H-8L-4 28H-15Q-19 28-19 32V38Q-19 42-15 42"
    "H15Q19 42 19 38V32Q19 28 15 28H4L8-6H43Q48-6 48-11V-22Q48-27 44-27H8L6-40L2-42Z"
)
CROSS_SHAPE = "M-4-2.5L-2.5-4L0-1.5L2.5-4L4-2.5L1.5 0L4 2.5L2.5 4L0 1.5L-2.5 4L-4 2.5L-1.5 0Z"
STAR_SHAPE = (
    "M0-10L2.7-5.6L7-7L5.6-2.7L10 0L5.6 2.7L7 7L2.7 5.6L0 10L-2.7 5.6L-7 7"
    "L-5.6 2.7L-10 0L-5.6-2.7L-7-7L-2.7-5.6Z"
)
MARKS: Mapping[str, str] = {
    "fire": "M0-6C1-3 4-2 4 2C4 4.5 2 6 0 6S-4 4.5-4 2C-4 0-3-1-2-2C-2 0-1 0-1 0C-1-2-1-4 0-6Z",
    "smoke": "M-5 3A2.5 2.5 0 0 1-4-1A3 3 0 0 1 1-3A3 3 0 0 1 5 0A2.5 2.5 0 0 1 4 4H-4Z",
    "spin": "M0-5A5 5 0 1 1-4.8 1.4L-3 1A3.1 3.1 0 1 0 0-3.1V-1L-3.6-4L0-7Z",
    "glide": "M-6-2L6 1.5L-6 4L-3.5 1Z",
    "stall": "M-1.5-6H1.5V1H5L0 6L-5 1H-1.5Z",
}
STYLE = """
:root.red{background:#fbfaf6}
@media (min-width:700px) and (min-aspect-ratio:1/1){
:root.red{width:560px;height:auto;display:block;margin:auto}}
.page{fill:#fbfaf6}
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-size:13px;fill:#1d1b16}
.head{font-size:17px;font-weight:700}.strong{font-weight:700}
.soft{font-size:12px;fill:#57534a}.small{font-size:12px}.deed{font-size:11px}.least{font-size:11px;fill:#57534a}
.hurt{font-size:12px;font-weight:600;fill:#8f1d17}
.off{fill:#d3d0c6}.table{fill:#e8ecdf}.line{fill:none;stroke:#cdd2bf;stroke-width:.8}
.rim{fill:none;stroke:#8a8373}.grid{stroke:#c9c5b6;stroke-width:.8}
.soviet{fill:#a3211a;stroke:#fffdf7}.japanese{fill:#fffdf7;stroke:#0c4a86}
.soviet-words{fill:#8f1d17}.japanese-words{fill:#0c4a86}
.piece{stroke-linejoin:round;paint-order:stroke}
.arc{stroke-width:1}.arc.soviet{fill:#a3211a;fill-opacity:.09;stroke:#a3211a;stroke-opacity:.55}
.arc.japanese{fill:#0c4a86;fill-opacity:.08;stroke:#0c4a86;stroke-opacity:.6;stroke-dasharray:5 3}
.disc{stroke-width:1}.disc.soviet{fill:#fffdf7;fill-opacity:.3;stroke:#a3211a}
.disc.japanese{fill:#fffdf7;fill-opacity:.3;stroke:#0c4a86;stroke-dasharray:3 2}
.nose{fill:none;stroke-width:1.4}.nose.soviet{stroke:#a3211a}.nose.japanese{stroke:#0c4a86}
.tweak{fill:#b45309;stroke:#fffdf7;stroke-width:.8}
.tail{fill:none;stroke:#57534a;stroke-width:1.8;stroke-dasharray:1 4;stroke-linecap:round}
.ram{fill:none;stroke:#7c2d12;stroke-width:2;stroke-dasharray:7 3}
.shot{fill:none;stroke:#c2410c;stroke-width:2.2}.miss{stroke-width:1.2}
.dart{fill:#c2410c}.follow{fill:#57534a}
.hit{fill:#fffdf7;stroke:#c2410c;stroke-width:1.5}
.special{fill:#ffb020;stroke:#9a3412;stroke-width:1.2}
.count{font-size:11px;font-weight:700;fill:#7c2408}.count.star{fill:#1d1b16}
.chip{stroke-width:1.5}.chip.soviet{fill:#a3211a;stroke:#fffdf7}
.chip.japanese{fill:#fffdf7;stroke:#0c4a86}
.tag{font-size:11px}.tag.soviet{fill:#fff;stroke:none}.tag.japanese{fill:#0c4a86;stroke:none}
.tie{stroke:#57534a;stroke-width:1}
.lost{stroke-width:1.2}.badge{fill:#fffdf7;stroke:#1d1b16;stroke-width:.8}
.mark{fill:#1d1b16;stroke:none}.mark.fire{fill:#c2410c}
.pip{fill:#3f6b3a}.pip.gone{fill:none;stroke:#8a8373;stroke-width:.8}
.face{fill:#fffdf7;stroke-width:1.4}.face.soviet{fill:#fffdf7;stroke:#a3211a}
.face.japanese{fill:#fffdf7;stroke:#0c4a86;stroke-dasharray:5 2.5}
.back{stroke-width:1.4}.back.soviet{fill:#a3211a;stroke:#a3211a}
.back.japanese{fill:#0c4a86;stroke:#0c4a86}.hatch{fill:none;stroke:#fffdf7;stroke-width:1;opacity:.55}
.plate{fill:#fbfaf6}.slot{fill:none;stroke:#8a8373;stroke-dasharray:3 3}
@media (prefers-color-scheme:dark){
:root.red{background:#16181b}.page{fill:#16181b}text{fill:#eceae4}
.soft,.least{fill:#b9b5aa}.hurt{fill:#ffaaa2}
.off{fill:#0e1012}.table{fill:#222823}.line{stroke:#39423a}.rim{stroke:#8b8779}.grid{stroke:#3c4043}
.soviet{fill:#ff9d94;stroke:#101214}.japanese{fill:#101214;stroke:#93cbff}
.soviet-words{fill:#ff9d94}.japanese-words{fill:#93cbff}
.arc.soviet{fill:#ff9d94;stroke:#ff9d94}.arc.japanese{fill:#93cbff;stroke:#93cbff}
.disc.soviet{fill:#101214;stroke:#ff9d94}.disc.japanese{fill:#101214;stroke:#93cbff}
.nose.soviet{stroke:#ff9d94}.nose.japanese{stroke:#93cbff}
.tweak{fill:#ffc457;stroke:#101214}.tail,.tie{stroke:#b9b5aa}.follow{fill:#b9b5aa}
.ram{stroke:#ffb48a}.shot{stroke:#ffa25c}.dart{fill:#ffa25c}
.hit{fill:#101214;stroke:#ffa25c}.special{fill:#ffc457;stroke:#5c2c00}
.count{fill:#ffc9a0}.count.star{fill:#1d1b16}
.chip.soviet{fill:#ff9d94;stroke:#101214}.chip.japanese{fill:#101214;stroke:#93cbff}
.tag.soviet{fill:#2b0704}.tag.japanese{fill:#bfe0ff}
.badge{fill:#eceae4;stroke:#101214}.pip{fill:#8cc084}.pip.gone{stroke:#8b8779;fill:none}
.key.mark{fill:#eceae4}.key.mark.fire{fill:#ffa25c}
.face.soviet{fill:#1f2225;stroke:#ff9d94}.face.japanese{fill:#1f2225;stroke:#93cbff}
.back.soviet{fill:#7d2a24;stroke:#ff9d94}.back.japanese{fill:#1c4a75;stroke:#93cbff}
.plate{fill:#16181b}.slot{stroke:#8b8779}
}
"""
