"""How wide the picture is."""

PICTURE_WIDTH, MARGIN = 360, 6
INNER_WIDTH = PICTURE_WIDTH - 2 * MARGIN
