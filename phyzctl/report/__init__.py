"""Issues as documents: one module a format, each a pure function of a `Report`."""
