"""The English texts for codes in the program, such as the error code "no-such-round"."""
