"""Tables computed from the tournament. The window, printouts, web pages and JSON show them."""
