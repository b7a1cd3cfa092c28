"""The pairing systems: each module here pairs a round of a stage, and defines its `System`s."""
