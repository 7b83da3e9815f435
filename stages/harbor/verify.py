"""Checks the form of a review and hands it on. It knows no answers and gives no score."""

import json
import os
import stat
import sys

LARGEST = 8 << 20


def check(review, expected):
    if not isinstance(review, dict) or not isinstance(review.get("pr"), dict):
        raise ValueError("the file is no object with pr")
    for key in ("pr_number", "head"):
        if review["pr"].get(key) != expected["pull"][key]:
            raise ValueError("the file is about another " + key)
    if not isinstance(review.get("findings"), list):
        raise ValueError("the file has no findings, not even an empty list")
    for number, finding in enumerate(review["findings"], 1):
        if not isinstance(finding, dict):
            raise ValueError("finding %d is no object" % number)
        path, start, end, message = (finding.get(k) for k in ("file", "start_line", "end_line", "message"))
        parts = path.split("/") if isinstance(path, str) else [""]
        if any(part in ("", ".", "..") for part in parts) or "\\" in path or "\0" in path or "\n" in path:
            raise ValueError("finding %d has no path within the repository" % number)
        if type(start) is not int or type(end) is not int or start < 1 or end < start:
            raise ValueError("finding %d has no lines from 1" % number)
        if not isinstance(message, str) or not message.strip():
            raise ValueError("finding %d has no message" % number)


def main(expected, findings, logs):
    os.makedirs(logs, exist_ok=True)
    with open(expected, encoding="utf-8") as f:
        review = json.load(f)
    reward = {"valid": 0, "findings": 0}
    try:
        info = os.lstat(findings)
        if not stat.S_ISREG(info.st_mode) or info.st_size > LARGEST:
            raise ValueError("it is no file, or too large")
        with open(findings, encoding="utf-8-sig") as f:
            review["findings"] = json.load(f)
        check(review["findings"], review)
        with open(os.path.join(logs, "review.json"), "w", encoding="utf-8") as f:
            json.dump(review, f)
        reward = {"valid": 1, "findings": len(review["findings"]["findings"])}
    except (OSError, ValueError, RecursionError) as problem:
        print("no review: %s" % problem, file=sys.stderr)
    with open(os.path.join(logs, "reward.json"), "w", encoding="utf-8") as f:
        json.dump(reward, f)


if __name__ == "__main__":
    main(*sys.argv[1:4])
