"""Least squares by the normal equations, with standard errors."""
import numpy as np

rng = np.random.RandomState(2)
n = 60
x = rng.uniform(0, 10, size=n)
z = rng.uniform(-1, 1, size=n)
y = 3.0 + 0.5 * x - 2.0 * z + rng.normal(0, 0.3, size=n)
design = np.column_stack([np.ones(n), x, z])


def fit(design, y):
    inverse = np.linalg.inv(design.T @ design)
    beta = inverse @ design.T @ y
    residuals = y - design @ beta
    variance = residuals @ residuals / (len(y) - design.shape[1])
    return beta, np.sqrt(variance * np.diag(inverse)), residuals


beta, errors, residuals = fit(design, y)
total = ((y - y.mean()) ** 2).sum()
r_squared = 1 - (residuals ** 2).sum() / total
names = ["constant", "x", "z"]
for name, value, error in zip(names, beta, errors):
    print("%-8s %6.3f +- %.3f" % (name, value, error))
print("R2 = %.3f" % r_squared)
