"""Contours of a function with the path of a descent on it."""
import matplotlib.pyplot as plt
import numpy as np


def height(x, y):
    return (x - 1) ** 2 + 2 * (y + 0.5) ** 2 + 0.3 * x * y


def slope(point):
    x, y = point
    return np.array([2 * (x - 1) + 0.3 * y, 4 * (y + 0.5) + 0.3 * x])


point = np.array([-1.5, 1.5])
path = [point]
for step in range(25):
    point = point - 0.1 * slope(point)
    path.append(point)
path = np.array(path)
xs, ys = np.meshgrid(np.linspace(-2, 3, 50), np.linspace(-2, 2, 40))
fig, ax = plt.subplots(figsize=(4, 3))
contours = ax.contour(xs, ys, height(xs, ys), levels=12)
ax.clabel(contours, fontsize=6)
ax.plot(path[:, 0], path[:, 1], marker=".", color="black")
ax.set_title("descent")
fig.savefig("grid.png", dpi=60)
print("end:", np.round(path[-1], 3), "height %.3f" % height(*path[-1]))
