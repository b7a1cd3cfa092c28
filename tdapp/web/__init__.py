"""The page for the room: phones and projectors on the local network read it, players may enter results there.

`server` is the switch: a `Room` is started on an address, shown each new value, and stopped. `pages` answers,
`shown` keeps what is shown, `entering` takes results, `typing_page` the turns of the featured table, `guard` keeps
out what does not belong here, `certificate` is what the page is encrypted with.

What is read is the public tournament only. What is written goes through a `Write` that the program hands in, and
is one command: `enter_slip`, for the featured table `enter_sheet`. No request names a file: what is asked for is
looked up among the site's pages.
"""

PORT = 8089  # of the room's page, where no other is chosen
