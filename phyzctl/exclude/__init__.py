"""Which pairs of bodies should never collide: sampled, proved where possible, and suggested."""
