"""Cross-validation written out, fold by fold."""
import numpy as np
from sklearn.datasets import load_wine
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import MinMaxScaler

wine = load_wine()
X = wine.data[:, :6]
y = wine.target
folds = StratifiedKFold(n_splits=4, shuffle=True, random_state=2)
scores = []
mistakes = np.zeros(3, dtype=int)
for train, test in folds.split(X, y):
    scaler = MinMaxScaler()
    scaler.fit(X[train])
    model = GaussianNB()
    model.fit(scaler.transform(X[train]), y[train])
    predicted = model.predict(scaler.transform(X[test]))
    scores.append((predicted == y[test]).mean())
    for label in y[test][predicted != y[test]]:
        mistakes[label] += 1
mean, spread = np.mean(scores), np.std(scores)
print("accuracy %.3f +- %.3f" % (mean, spread))
print("mistakes by class:", mistakes.tolist())
