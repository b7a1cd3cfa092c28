"""Web pages for phones and projectors on the local network.

`server` starts a `Room`; the other modules answer requests. Pages show the public tournament only. Entries go
through a `Write` callback as one command: `enter_slip`, or `enter_sheet` for the featured table. Only known page
names are answered, never files.
"""

PORT = 8089  # default port
