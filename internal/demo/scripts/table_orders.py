"""Revenue of a shop by month and by customer, from a table of orders."""
import pandas as pd

orders = pd.read_csv("orders.csv", parse_dates=["day"])
orders = orders.dropna()
orders["amount"] = orders["price"] * orders["pieces"]
orders["month"] = orders["day"].dt.month
columns = ["customer", "month", "amount"]
chosen = orders[columns]
by_month = chosen.groupby("month")["amount"].sum()
by_customer = chosen.groupby("customer")["amount"].agg(["sum", "mean"])
best = by_customer["sum"].idxmax()
share = by_customer.loc[best, "sum"] / by_customer["sum"].sum()
print(by_month.round(2).to_dict())
print(by_customer.sort_index().round(2))
print("best customer:", best, round(share, 3))
