"""The compiled description: what algorithms need, in numbers and indices."""
