"""The Players page: who plays, who is there, imports, cards."""
