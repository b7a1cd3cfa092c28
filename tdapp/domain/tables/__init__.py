"""Tables computed from the tournament."""
