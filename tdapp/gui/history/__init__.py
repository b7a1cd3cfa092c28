"""The History page and snapshots."""
