"""A histogram, its entropy and a test of normality."""
import numpy as np
from scipy import stats

rng = np.random.RandomState(11)
sample = rng.gamma(2.0, 1.5, size=200)
counts, edges = np.histogram(sample, bins=12)
widths = np.diff(edges)
density = counts / (counts.sum() * widths)
shares = counts[counts > 0] / counts.sum()
entropy = -(shares * np.log2(shares)).sum()
shape, location, scale = stats.gamma.fit(sample, floc=0)
statistic, p = stats.kstest(sample, "gamma", args=(shape, location, scale))
centers = (edges[:-1] + edges[1:]) / 2
mode = centers[density.argmax()]
print("entropy: %.2f bits" % entropy)
print("mode near %.2f, shape %.2f" % (mode, shape))
print("fits a gamma:", bool(p > 0.05), round(statistic, 3))
