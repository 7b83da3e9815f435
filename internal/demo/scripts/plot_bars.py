"""Stacked bars of a table, largest first."""
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

table = pd.DataFrame({"walk": [3, 5, 2], "cycle": [6, 1, 4], "drive": [1, 7, 5]}, index=["Oslo", "Rome", "Bern"])
table = table.loc[table.sum(axis=1).sort_values(ascending=False).index]
shares = table.div(table.sum(axis=1), axis=0)
fig, axes = plt.subplots(1, 2, figsize=(6, 3))
bottom = np.zeros(len(table))
for name in table.columns:
    axes[0].bar(table.index, table[name], bottom=bottom, label=name)
    bottom = bottom + table[name].values
axes[0].legend()
image = axes[1].imshow(shares.values, cmap="viridis", vmin=0, vmax=1)
axes[1].set_xticks(range(len(shares.columns)))
axes[1].set_xticklabels(shares.columns)
axes[1].set_yticks(range(len(shares)))
axes[1].set_yticklabels(shares.index)
fig.colorbar(image, ax=axes[1])
fig.savefig("bars.png", dpi=60)
print(bottom.tolist())
