"""Counts words of short texts and finds the rarest pairs."""
from collections import Counter

import pandas as pd

texts = ["the cat sat on the mat", "the dog sat", "a cat and a dog", "the mat"]
counts = Counter()
pairs = Counter()
for text in texts:
    words = text.split()
    counts.update(words)
    for first, second in zip(words, words[1:]):
        pairs[(first, second)] += 1
frame = pd.DataFrame(counts.items(), columns=["word", "count"])
frame = frame.sort_values(["count", "word"], ascending=[False, True]).reset_index(drop=True)
frame["share"] = frame["count"] / frame["count"].sum()
common = frame.head(3)
rare = sorted(pair for pair, n in pairs.items() if n == 1)
print(common.round(3))
print(len(rare), rare[0])
