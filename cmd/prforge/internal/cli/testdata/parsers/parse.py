# Reads a JSON list of {language, text} and writes a list of what is wrong with each, "" for nothing.
import ast
import json
import sys
import warnings

warnings.simplefilter("ignore")  # an invalid escape in a stranger's string is no error
out = []
for fragment in json.load(sys.stdin):
    try:
        ast.parse(fragment["text"])
        out.append("")
    except (SyntaxError, ValueError) as error:
        out.append(str(error))
json.dump(out, sys.stdout)
