"""Web pages for phones and projectors on the local network.

`server` starts a `WebServer`. The other modules answer its requests. Pages show only the public part of the
tournament. Players and the typist of the featured table change the tournament through a `Write` callback. Each
entry is one command: `enter_slip` or `enter_sheet`. Requests are answered only for known page names, never with a
file by its path.
"""

PORT = 8089  # default port
