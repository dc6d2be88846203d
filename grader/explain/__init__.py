"""From facts to what a student reads. Faults are written here and nowhere else; which facts count, others decide."""
