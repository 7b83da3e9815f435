"""Nearest neighbours without a library, compared with scikit-learn."""
import numpy as np
from sklearn.neighbors import KNeighborsClassifier

rng = np.random.RandomState(8)
points = rng.normal(size=(50, 2))
labels = (points.sum(axis=1) > 0).astype(int)
queries = rng.normal(size=(20, 2))


def nearest(points, query, k):
    distances = np.sqrt(((points - query) ** 2).sum(axis=1))
    return np.argsort(distances)[:k]


def vote(labels, chosen):
    counts = np.bincount(labels[chosen], minlength=2)
    return int(counts.argmax())


k = 5
ours = []
for query in queries:
    chosen = nearest(points, query, k)
    ours.append(vote(labels, chosen))
model = KNeighborsClassifier(n_neighbors=k)
model.fit(points, labels)
theirs = model.predict(queries)
same = np.array(ours) == theirs
print("ours:", ours)
print("the same:", bool(same.all()))
