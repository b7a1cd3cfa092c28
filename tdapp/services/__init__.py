"""What the window and the command line both do to an open tournament: the only room that both are built on.

`open_tournament` is what is open and the one way to change it; `command_queue` does the steps in their order,
and lets them wait while the file or the server is away, and listens to other stations. Services act on an open
tournament: `printing` makes PDF and watches what was printed, `print_queue` hands it to CUPS, `backups` copies
the file, `publishing` writes the web pages, `uploading` brings them elsewhere, `serving` switches the room's
page, `sharing` moves the tournament to a server and back. `resources` are the data that come with the program,
`word_lists` fills the library of editions, `demo` makes the sample tournament, `preferences` remembers where
tournaments were left, `fault_report` shows a developer what went wrong. No Qt, no SQL: the user of a service
passes callbacks, and a worker that knows the threads.
"""
