"""Welch's test by hand, compared with scipy's."""
import numpy as np
from scipy import stats

rng = np.random.RandomState(3)
first = rng.normal(0.0, 1.0, size=30)
second = rng.normal(0.7, 1.5, size=25)


def moments(sample):
    n = len(sample)
    return sample.mean(), sample.var(ddof=1), n


mean_a, var_a, n_a = moments(first)
mean_b, var_b, n_b = moments(second)
error = np.sqrt(var_a / n_a + var_b / n_b)
t = (mean_a - mean_b) / error
freedom = (var_a / n_a + var_b / n_b) ** 2 / ((var_a / n_a) ** 2 / (n_a - 1) + (var_b / n_b) ** 2 / (n_b - 1))
p = 2 * stats.t.sf(abs(t), freedom)
result = stats.ttest_ind(first, second, equal_var=False)
assert abs(result.statistic - t) < 1e-9
assert abs(result.pvalue - p) < 1e-9
print("t = %.3f, p = %.4f, freedom = %.1f" % (t, p, freedom))
