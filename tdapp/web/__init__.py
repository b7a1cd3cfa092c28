"""Web pages for phones and projectors on the local network.

Pages show only the public part of the tournament. A `WriteCommand` callback runs the commands of players and
of the typist, who enters the plays of the featured table (the game that spectators follow).
"""

PORT = 8089  # default port
