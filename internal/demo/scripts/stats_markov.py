"""The stationary distribution of a small Markov chain."""
import numpy as np

states = ["sun", "cloud", "rain"]
moves = {"sun": {"sun": 6, "cloud": 3, "rain": 1}, "cloud": {"sun": 3, "cloud": 4, "rain": 3}, "rain": {"sun": 2, "cloud": 4, "rain": 4}}
size = len(states)
matrix = np.zeros((size, size))
for i, state in enumerate(states):
    row = moves[state]
    for j, other in enumerate(states):
        matrix[i, j] = row[other]
matrix = matrix / matrix.sum(axis=1, keepdims=True)
distribution = np.full(size, 1 / size)
for step in range(100):
    distribution = distribution @ matrix
system = np.vstack([matrix.T - np.eye(size), np.ones(size)])
target = np.append(np.zeros(size), 1.0)
exact, residual, rank, singular = np.linalg.lstsq(system, target, rcond=None)
print(dict(zip(states, np.round(distribution, 4))))
print("exact:", np.round(exact, 4), "rank", rank)
