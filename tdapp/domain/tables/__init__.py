"""Tables for the screen and for reports, computed from the tournament."""
