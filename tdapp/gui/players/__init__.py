"""The Players page: player list, check-in, imports, player cards."""
