"""The Tournament page: data, rules, divisions, stages, seating, stations."""
