"""The authored description: elements, the Robot that holds them, and its builder."""
