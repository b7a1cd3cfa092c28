"""The Tournament page: details, rules, divisions, stages, seating and computers (stations)."""
