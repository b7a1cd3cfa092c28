"""Actions on an open tournament that the window and the command line share.

`open_tournament` holds the tournament and is the only way to change it. `command_queue` runs the commands in
order, keeps those that cannot be saved yet, and watches for changes of other stations.

Other modules act on the open tournament: `printing` makes PDFs and finds stale printouts, `print_queue` sends them
to CUPS, `backups` takes snapshots of the file, `publishing` writes the web pages, `uploading` uploads them,
`serving` runs the web server for the venue, `sharing` moves the tournament to a database server and back.

`resources` reads the data files of the program, `word_lists` adds editions to the library, `demo` makes the sample
tournament, `preferences` stores settings and last positions, `fault_report` writes bug reports.

No Qt and no SQL. The owner of a service passes callbacks, and a `Worker` that runs calls on threads.
"""
