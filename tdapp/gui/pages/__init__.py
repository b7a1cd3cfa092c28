"""The pages of the program's places, one module each; `tdapp.gui.places` loads them when they are shown."""
