"""Messages to JSON and back. Strict on the way in, complete on the way out.

Names are spelled as in the proto on the way out; lowerCamelCase is understood too.
"""

from guncamera.api.json_reader import from_json
from guncamera.api.json_writer import to_json, to_plain

__all__ = ["from_json", "to_json", "to_plain"]
