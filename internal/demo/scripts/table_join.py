"""Joins two tables and reports which rows have no partner."""
import pandas as pd

people = pd.DataFrame({"id": [1, 2, 3, 4], "name": ["Ann", "Bob", "Cid", "Dot"], "team": ["x", "y", "x", "z"]})
teams = pd.DataFrame({"team": ["x", "y"], "city": ["Oslo", "Bern"]})


def joined(left, right, key):
    table = left.merge(right, on=key, how="left", indicator=True)
    missing = table[table["_merge"] == "left_only"]
    return table.drop(columns="_merge"), missing


table, missing = joined(people, teams, "team")
counts = table["city"].value_counts()
lines = []
for city in sorted(counts.index):
    members = table[table["city"] == city]
    names = ", ".join(members["name"].tolist())
    lines.append(city + ": " + names)
print("\n".join(lines))
print("without a city:", missing["name"].tolist())
