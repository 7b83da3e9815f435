"""Resamples a daily series by week and compares weekdays."""
import numpy as np
import pandas as pd

days = pd.date_range("2024-01-01", periods=56, freq="D")
values = np.arange(56) % 7 + np.linspace(0, 3, 56)
series = pd.Series(values, index=days)
weekly = series.resample("W").mean()
change = weekly.diff().dropna()
frame = series.to_frame("value")
frame["weekday"] = frame.index.dayofweek
profile = frame.groupby("weekday")["value"].mean()
peak = int(profile.idxmax())
names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
print(weekly.round(2).tolist())
print("largest change:", round(change.max(), 3))
print("peak day:", names[peak])
