"""Read models: tables computed from the tournament and shared by screen, printouts, pages and JSON."""
