"""Read models: what people look at, computed from the tournament; shared by screen, paper, pages and JSON."""
