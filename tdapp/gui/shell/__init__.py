"""The frame around the pages: window, bars, menus, shortcuts and the session."""
