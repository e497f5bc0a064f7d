"""One HTTP request to a service that runs here, as by `httpx`.

Without certificates: each request by `httpx` itself reads all those that this machine trusts, which
is twenty milliseconds of work, and tests that wait ask again and again.
"""

from functools import partial

import httpx

get = partial(httpx.get, verify=False)
post = partial(httpx.post, verify=False)
stream = partial(httpx.stream, verify=False)
