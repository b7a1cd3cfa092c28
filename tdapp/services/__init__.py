"""Actions on an open tournament that the window and the command line share. No Qt and no SQL.

The class `OpenTournament` holds the tournament and is the only way to change it. The creator (owner) of a service
passes callbacks, and a `Worker` that runs calls on threads.
"""
