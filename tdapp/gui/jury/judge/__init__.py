"""The judge screen: where players have a challenged play judged, on a display of its own."""
