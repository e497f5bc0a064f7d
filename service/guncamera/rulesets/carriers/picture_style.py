"""The style of the picture, in light and dark, and the shapes that are drawn more than once."""

from __future__ import annotations

from collections.abc import Mapping

from guncamera.rulesets.carriers.cards import ShipClass

SHIPS: Mapping[ShipClass, str] = {
    ShipClass.CARRIER: (
        "M-29-9.5H2V-14H5V-18H6.6V-22H8V-18H9.5V-14H13V-9.5H29V-7L25.5-6L23 0H-23L-26-6L-29-7Z"
    ),
    ShipClass.BATTLESHIP: (
        "M-28-5.5L-20-5V-6.4H-27V-7.6H-20V-9H-13.5V-10H-19V-11.2H-13V-12.6H-8V-8H-6.5V-15H-5V-20"
        "H-3.4V-23H-2.2V-20H0V-15H1.5V-7.5H4V-14H8.5V-7.5H12V-8.6H17V-7H24V-5.8H17V-4.6L28-5L24 0"
        "H-24Z"
    ),
    ShipClass.CRUISER: (
        "M-24-5L-17-4.6V-5.6H-22.5V-6.6H-17V-7.8H-11.5V-5.4H-8.5V-12H-7V-17.5H-5.8V-12H-4V-7H-2V-12"
        "H1V-7H3.4V-12H6.4V-7H8.4V-14H9.4V-5.4H12V-7.2H17V-6H22V-5H17V-4.2L24-4.4L21 0H-20.5Z"
    ),
    ShipClass.DESTROYER: (
        "M-19-4.6L-13-3.8V-4.6H-17V-5.4H-13V-6.4H-9V-4.6H-7V-9H-5.6V-14H-4.6V-9H-3V-6H-1V-9.6H1.6"
        "V-4.6H4V-8H6.2V-4H9.5V-5.4H13V-4.6H17V-3.8H13V-3L19-3.2L17 0H-16.5Z"
    ),
}
HALF_SHIP = 29
AIRCRAFT_SHAPE = (
    "M-1-10L-1.6-5.4L-11-3.2V-.6L-1.6-1.2L-1 5.2L-4.4 7V8.8H4.4V7L1 5.2L1.6-1.2L11-.6V-3.2L1.6-5.4"
    "L1-10Z"
)
EYE_SHAPE = "M-6 0Q0-5.6 6 0Q0 5.6-6 0ZM-1.9 0A1.9 1.9 0 1 0 1.9 0A1.9 1.9 0 1 0-1.9 0Z"
BURST_SHAPE = (
    "M0-8L1.9-3.9L5.7-5.7L3.9-1.9L8 0L3.9 1.9L5.7 5.7L1.9 3.9L0 8L-1.9 3.9L-5.7 5.7L-3.9 1.9L-8 0"
    "L-3.9-1.9L-5.7-5.7L-1.9-3.9Z"
)
STYLE = """
:root.car{background:#fbfaf6}
@media (min-width:700px) and (min-aspect-ratio:1/1){
:root.car{width:560px;height:auto;display:block;margin:auto}}
.page{fill:#fbfaf6}
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-size:13px;fill:#1d1b16}
.head{font-size:17px;font-weight:700}.strong{font-weight:700}
.soft{font-size:12px;fill:#57534a}.small{font-size:12px}.least{font-size:11px}
.faint{font-size:11px;fill:#4d5a60}
.score{font-size:17px;font-weight:700}
.us-words{fill:#0c4a86}.japan-words{fill:#8f1d17}.hurt{fill:#8f1d17;font-weight:600}
.sea{fill:#dfeaef}.edge{fill:none;stroke:#8a8373;stroke-width:1.2}
.line{stroke:#a9c0cb;stroke-width:1;stroke-dasharray:2 4}.grid{stroke:#c9c5b6;stroke-width:.8}
.band{fill:#cfdfe7}
.ship{stroke-width:1.1;stroke-linejoin:round;paint-order:stroke;vector-effect:non-scaling-stroke}
.ship.us{fill:#0c4a86;stroke:#fffdf7}.ship.japan{fill:#fffdf7;stroke:#a3211a;stroke-width:1.4;paint-order:normal}
.ship.out{fill-opacity:.35}
.waves{fill:none;stroke:#6b93a8;stroke-width:1}
.veil{stroke-width:1.2}.veil.us{fill:#0c4a86;stroke:#0c4a86}.veil.japan{fill:#a3211a;stroke:#a3211a}
.hatch{fill:none;stroke:#fffdf7;stroke-width:1;opacity:.55}
.query{font-size:15px;font-weight:700;fill:#fffdf7}
.back{stroke-width:1}.back.us{fill:#0c4a86;stroke:#fffdf7}.back.japan{fill:#a3211a;stroke:#fffdf7}
.face{fill:#fffdf7;stroke-width:1.3}.face.us{stroke:#0c4a86}
.face.japan{stroke:#a3211a;stroke-dasharray:5 2}
.face.ready{stroke-width:.9;fill:#f1f4f1}
.face.used{fill:#dcd9ce;stroke:#8a8373}.chip.used{fill:#57534a;text-decoration:line-through}
.chip{font-size:11px}.chip.fast{font-weight:700}
.wing{stroke:none}.wing.us{fill:#0c4a86}.wing.japan{fill:#a3211a}
.harm{fill:#ffcf6b;stroke:#7c4a08;stroke-width:.9}.letter{font-size:11px;font-weight:700;fill:#3d2203}
.cross{stroke:#8f1d17;stroke-width:2.4;stroke-linecap:round}
.eye{fill:#1d1b16;fill-rule:evenodd}.eye-plate{fill:#ffe9a8;stroke:#7c4a08;stroke-width:.9}
.way{fill:none;stroke:#c2410c;stroke-width:2.2;stroke-linejoin:round}
.way.old{stroke-width:1.3;opacity:.6}.way.look{stroke-dasharray:5 3}
.dart{fill:#c2410c}.dart.old{opacity:.6}
.burst{fill:#ffb020;stroke:#9a3412;stroke-width:1}.ring{fill:#fffdf7;stroke:#c2410c;stroke-width:1.6}
.bar{stroke:#c2410c;stroke-width:3;stroke-linecap:round}
.plate{fill:#fffdf7;stroke:#c2410c;stroke-width:1.2}
@media (prefers-color-scheme:dark){
:root.car{background:#16181b}.page{fill:#16181b}text{fill:#eceae4}
.soft{fill:#b9b5aa}.faint{fill:#a9bac2}
.us-words{fill:#93cbff}.japan-words{fill:#ff9d94}.hurt{fill:#ffaaa2}
.sea{fill:#1a262d}.edge{stroke:#8b8779}.line{stroke:#3f5460}.grid{stroke:#3c4043}.band{fill:#24343d}
.ship.us{fill:#93cbff;stroke:#101214}.ship.japan{fill:#101214;stroke:#ff9d94}
.waves{stroke:#5f8295}
.veil.us{fill:#1c4a75;stroke:#93cbff}.veil.japan{fill:#7d2a24;stroke:#ff9d94}
.back.us{fill:#1c4a75;stroke:#93cbff}.back.japan{fill:#7d2a24;stroke:#ff9d94}
.face{fill:#1f2225}.face.us{stroke:#93cbff}.face.japan{stroke:#ff9d94}.face.ready{fill:#16181b}
.face.used{fill:#34363a;stroke:#8b8779}.chip.used{fill:#b9b5aa}
.wing.us{fill:#93cbff}.wing.japan{fill:#ff9d94}
.harm{fill:#ffc457;stroke:#5c2c00}.letter{fill:#2b1700}
.cross{stroke:#ff9d94}.eye{fill:#1d1b16}.eye-plate{fill:#ffc457}
.way{stroke:#ffa25c}.dart{fill:#ffa25c}.burst{fill:#ffc457;stroke:#5c2c00}
.ring{fill:#101214;stroke:#ffa25c}.bar{stroke:#ffa25c}.plate{fill:#1f2225;stroke:#ffa25c}
}
"""
