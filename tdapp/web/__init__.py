"""Web pages for phones and projectors on the local network.

Pages show only the public part of the tournament. Players and the typist of the featured table change it through a
`Write` callback, with one command for each entry. Requests are answered only for known page names, never with a
file by its path.
"""

PORT = 8089  # default port
