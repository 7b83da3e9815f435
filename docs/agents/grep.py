"""A reviewer that needs no model: it reads the repository with git grep.

It follows the contract in docs/agents.md. It reports a function or class that the
change removes or renames while code elsewhere still names it, and one whose
parameters change while callers that the change does not touch stay as they are.
"""
import json
import os
import re
import subprocess

DEFINITION = re.compile(
    r"^\s*(?:(?:export|default|public|private|protected|static|final|abstract|async)\s+)*"
    r"(?:def|func|function|class|interface|fn)\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w{2,})\s*(.*)"
)
MOST = 20  # findings


def definitions(patch):
    """What the change takes away and adds: name -> (parameters, file, line of the head)."""
    removed, added, files, path, line = {}, {}, set(), None, 0
    for text in patch.split("\n"):
        if text.startswith("+++ "):
            path = text[6:] if text.startswith("+++ b/") else None
            files.add(path)
        elif hunk := re.match(r"@@ -\S+ \+(\d+)", text):
            line = int(hunk[1])
        elif path and text[:1] in ("+", "-", " ") and not text.startswith("--- "):
            found = DEFINITION.match(text[1:])
            if found and text[0] == "-":
                removed.setdefault(found[1], (found[2], path, max(line, 1)))
            elif found and text[0] == "+":
                added.setdefault(found[1], (found[2], path, line))
            line += text[0] != "-"
    return removed, added, files


def uses(name):
    """Where the head names it: (file, line)."""
    grep = ["git", "-C", "/work/repo", "grep", "-nwIF", "-e", name, "HEAD"]
    found = subprocess.run(grep, capture_output=True, text=True, errors="replace").stdout
    out = []
    for hit in found.splitlines():
        _, path, number, text = hit.split(":", 3)
        if not DEFINITION.match(text):
            out.append((path, int(number)))
    return out


def review(patch):
    removed, added, files = definitions(patch)
    for name, (before, path, line) in sorted(removed.items()):
        where = [use for use in uses(name) if use[0] not in files]
        if not where or len(where) > 50:  # a name of many is no one's
            continue
        places = ", ".join(f"{p}:{n}" for p, n in where[:3])
        if name not in added:
            yield path, line, f"{name} is removed or renamed here, but {places} still names it and is not part of this change."
        elif added[name][0] != before:
            _, path, line = added[name]
            yield path, line, f"The parameters of {name} change here, but {places} uses it and is not part of this change."


def main():
    with open(os.environ["RB_DIFF"], encoding="utf-8", errors="replace") as f:
        found = list(review(f.read()))[:MOST]
    with open(os.environ["RB_PR_JSON"], encoding="utf-8") as f:
        pull = json.load(f)
    agent = os.environ["RB_AGENT"]
    with open(os.environ["RB_OUT"], "w", encoding="utf-8") as f:
        json.dump({
            "pr": {key: pull[key] for key in ("repo", "pr_number", "base", "head")},
            "agent": agent,
            "findings": [
                {"file": path, "start_line": line, "end_line": line, "message": message, "producer": agent}
                for path, line, message in found
            ],
        }, f)


main()
