from grader.cli.grading import chosen_seed


def test_a_seed_that_is_not_given_has_128_random_bits() -> None:
    seeds = [chosen_seed(None) for _ in range(64)]
    assert all(any(seed >> bit & 1 for seed in seeds) for bit in range(128))
    assert not any(seed >> 128 for seed in seeds)


def test_a_seed_that_is_given_is_used() -> None:
    assert chosen_seed(7) == 7
