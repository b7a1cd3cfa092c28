"""The Jury page: score sheets, rulings, word lists, incidents, sanctions, challenges."""
