"""Actions on an open tournament that the window and the command line share.

`open_tournament` holds the tournament and is the only way to change it. `command_queue` runs the commands in order
and keeps those that cannot be saved yet. The other modules act on the open tournament.

No Qt and no SQL. The owner of a service passes callbacks, and a `Worker` that runs calls on threads.
"""
