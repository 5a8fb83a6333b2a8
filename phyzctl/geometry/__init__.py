"""What things are shaped like. Knows nothing of robots."""
