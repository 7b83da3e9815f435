"""A line plot of two series with a filled band."""
import matplotlib.pyplot as plt
import numpy as np

x = np.linspace(0, 10, 60)
mean = np.sin(x)
spread = 0.1 + 0.05 * x
fig, ax = plt.subplots(figsize=(5, 3))
ax.plot(x, mean, label="mean", color="tab:blue")
ax.plot(x, mean + spread, linestyle="--", color="tab:gray", label="band")
ax.fill_between(x, mean - spread, mean + spread, alpha=0.2)
peaks = [i for i in range(1, len(x) - 1) if mean[i] > mean[i - 1] and mean[i] > mean[i + 1]]
ax.scatter(x[peaks], mean[peaks], marker="o", zorder=3)
for i in peaks:
    ax.annotate("%.1f" % x[i], (x[i], mean[i]))
ax.set_xlabel("time")
ax.legend(loc="lower left")
fig.savefig("lines.png", dpi=60)
print("peaks:", len(peaks))
