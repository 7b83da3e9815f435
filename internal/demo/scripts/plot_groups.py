"""Box plots of groups with their medians written above."""
import matplotlib.pyplot as plt
import numpy as np

rng = np.random.RandomState(9)
groups = {"a": rng.normal(0, 1, 30), "b": rng.normal(1, 2, 30), "c": rng.normal(-1, 0.5, 30)}
names = list(groups)
samples = [groups[name] for name in names]
medians = [float(np.median(sample)) for sample in samples]
tops = [sample.max() for sample in samples]
fig, ax = plt.subplots(figsize=(4, 3))
ax.boxplot(samples)
ax.set_xticks(np.arange(len(names)) + 1)
ax.set_xticklabels(names)
for position, (median, top) in enumerate(zip(medians, tops), start=1):
    ax.text(position, top + 0.2, "%.2f" % median, ha="center")
ax.set_ylim(min(sample.min() for sample in samples) - 1, max(tops) + 1)
fig.tight_layout()
fig.savefig("groups.png", dpi=60)
order = np.argsort(medians)
print([names[i] for i in order])
