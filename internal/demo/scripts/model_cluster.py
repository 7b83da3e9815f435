"""Clusters points by k-means and chooses their number by the silhouette."""
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.metrics import silhouette_score

X, truth = make_blobs(n_samples=90, centers=3, cluster_std=0.8, random_state=6)
scores = {}
labels = {}
for k in range(2, 6):
    model = KMeans(n_clusters=k, n_init=5, random_state=0)
    labels[k] = model.fit_predict(X)
    scores[k] = silhouette_score(X, labels[k])
best = max(scores, key=scores.get)
chosen = labels[best]
centers = np.array([X[chosen == c].mean(axis=0) for c in range(best)])
order = centers[:, 0].argsort()
sizes = np.bincount(chosen)[order]
print("clusters:", best, {k: round(float(s), 2) for k, s in scores.items()})
print(np.round(centers[order], 1))
print("sizes:", sizes.tolist())
