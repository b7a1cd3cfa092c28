"""Pairing systems. Each module pairs a round of a stage and defines its `PairingMethod`s."""
