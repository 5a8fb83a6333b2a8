"""The passes of the compiler: from a Robot by name to the parts of a Model by index."""
