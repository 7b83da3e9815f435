"""A pipeline over numbers and categories of a table."""
import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

people = pd.read_csv("people.csv")
target = people["bought"]
numbers = ["age", "income"]
categories = ["city"]
features = people[numbers + categories]
scale = Pipeline([("fill", SimpleImputer(strategy="median")), ("scale", StandardScaler())])
prepare = ColumnTransformer([("numbers", scale, numbers), ("categories", OneHotEncoder(handle_unknown="ignore"), categories)])
model = Pipeline([("prepare", prepare), ("tree", DecisionTreeClassifier(max_depth=3, random_state=0))])
half = len(people) // 2
train, test = features[:half], features[half:]
model.fit(train, target[:half])
predicted = model.predict(test)
right = (predicted == target[half:].values).mean()
names = model.named_steps["prepare"].get_feature_names_out()
print("right: %.2f of %d" % (right, len(test)))
print(list(names))
