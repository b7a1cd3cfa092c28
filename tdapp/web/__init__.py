"""Web pages for phones and projectors on the local network. Players may enter results there.

`server` starts a `Room` on an address, passes new values to it and stops it. The other modules answer requests:
pages, results of players, turns of the featured table, check-in, overlays. `rate_limits` protects the server,
`certificate` encrypts the connection.

Pages show the public tournament only. Entries go through a `Write` callback as one command: `enter_slip`, or
`enter_sheet` for the featured table. Requests cannot name files. Only known page names are answered.
"""

PORT = 8089  # default port
