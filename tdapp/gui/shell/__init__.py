"""The frame around the pages: window, bars, menus, keys, and what a session has open."""
