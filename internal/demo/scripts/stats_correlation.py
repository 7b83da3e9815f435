"""A correlation matrix and its strongest pairs."""
import numpy as np
import pandas as pd

rng = np.random.RandomState(5)
base = rng.normal(size=(80, 1))
noise = rng.normal(size=(80, 3))
names = ["a", "b", "c", "d"]
matrix = np.hstack([base, base * 2 + noise[:, :1], -base + noise[:, 1:2], noise[:, 2:]])
frame = pd.DataFrame(matrix, columns=names)
correlation = frame.corr().values
pairs = []
for i in range(len(names)):
    for j in range(i):
        pairs.append((abs(correlation[i, j]), names[j] + "-" + names[i]))
pairs.sort(reverse=True)
strongest = pairs[0]
values, vectors = np.linalg.eigh(correlation)
explained = values[::-1] / values.sum()
print(np.round(correlation, 2))
print("strongest:", strongest[1], round(strongest[0], 3))
print("explained:", np.round(explained, 2))
