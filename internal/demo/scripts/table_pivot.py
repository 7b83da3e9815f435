"""A pivot table of sales with totals, sorted by the largest region."""
import numpy as np
import pandas as pd

rng = np.random.RandomState(7)
regions = ["north", "south", "west"]
kinds = ["tea", "coffee"]
rows = []
for region in regions:
    for kind in kinds:
        for month in range(1, 5):
            rows.append({"region": region, "kind": kind, "month": month, "sold": int(rng.randint(5, 50))})
sales = pd.DataFrame(rows)
pivot = sales.pivot_table(index="region", columns="kind", values="sold", aggfunc="sum")
pivot["total"] = pivot.sum(axis=1)
pivot = pivot.sort_values("total", ascending=False)
shares = pivot.div(pivot["total"], axis=0)
top = pivot.index[0]
print(pivot)
print(shares.round(2))
print("largest:", top, int(pivot.loc[top, "total"]))
