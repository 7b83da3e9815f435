"""A bootstrap interval for the difference of two means."""
import numpy as np

rng = np.random.RandomState(0)
control = rng.normal(10.0, 2.0, size=40)
treated = rng.normal(11.0, 2.0, size=35)


def draws(sample, times):
    picks = rng.randint(0, len(sample), size=(times, len(sample)))
    return sample[picks].mean(axis=1)


def interval(values, level):
    tail = (1 - level) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return low, high


times = 500
difference = draws(treated, times) - draws(control, times)
low, high = interval(difference, 0.95)
effect = treated.mean() - control.mean()
print("difference: %.2f" % effect)
print("95%% interval: %.2f to %.2f" % (low, high))
print("share above zero:", round((difference > 0).mean(), 2))
