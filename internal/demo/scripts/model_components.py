"""Principal components by hand and by scikit-learn."""
import numpy as np
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA

data = load_iris().data
centered = data - data.mean(axis=0)
covariance = centered.T @ centered / (len(centered) - 1)
values, vectors = np.linalg.eigh(covariance)
order = values.argsort()[::-1]
components = vectors[:, order[:2]]
projected = centered @ components
model = PCA(n_components=2)
scores = model.fit_transform(data)
signs = np.sign((projected * scores).sum(axis=0))
gap = np.abs(projected * signs - scores).max()
share = values[order[:2]].sum() / values.sum()
print("explained: %.3f" % share)
print("components agree:", bool(gap < 1e-8), np.round(model.explained_variance_ratio_, 3))
