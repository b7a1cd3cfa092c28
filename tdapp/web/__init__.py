"""Web pages for phones and projectors on the local network.

Pages show only the public part of the tournament. Entries change it through a `WriteCommand` callback, with one
command for each entry.
"""

PORT = 8089  # default port
