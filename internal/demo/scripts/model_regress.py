"""Ridge regression over a grid of penalties."""
import numpy as np
from sklearn.linear_model import Ridge
from sklearn.metrics import mean_squared_error
from sklearn.model_selection import train_test_split

rng = np.random.RandomState(4)
X = rng.normal(size=(120, 6))
weights = np.array([1.5, 0.0, -2.0, 0.0, 0.7, 0.0])
y = X @ weights + rng.normal(0, 0.5, size=120)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=40, random_state=0)
penalties = [0.01, 0.1, 1.0, 10.0, 100.0]
errors = []
for penalty in penalties:
    model = Ridge(alpha=penalty)
    model.fit(X_train, y_train)
    predicted = model.predict(X_test)
    errors.append(mean_squared_error(y_test, predicted))
best = int(np.argmin(errors))
final = Ridge(alpha=penalties[best]).fit(X_train, y_train)
important = np.flatnonzero(np.abs(final.coef_) > 0.3)
print("penalty:", penalties[best], "error: %.3f" % errors[best])
print("important columns:", important.tolist())
