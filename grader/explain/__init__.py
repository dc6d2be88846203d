"""From facts to what a student reads: findings of workers become faults here, and nowhere else. It decides nothing."""
