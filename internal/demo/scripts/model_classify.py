"""A classifier on measured flowers, with a confusion matrix."""
import numpy as np
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, confusion_matrix
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

iris = load_iris()
X, y = iris.data, iris.target
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=1, stratify=y)
scaler = StandardScaler()
X_train = scaler.fit_transform(X_train)
X_test = scaler.transform(X_test)
model = LogisticRegression(C=1.0, max_iter=200)
model.fit(X_train, y_train)
predicted = model.predict(X_test)
matrix = confusion_matrix(y_test, predicted)
worst = int(np.argmax(matrix.sum(axis=1) - np.diag(matrix)))
print("accuracy: %.3f" % accuracy_score(y_test, predicted))
print(matrix)
print("hardest class:", iris.target_names[worst])
