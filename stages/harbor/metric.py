"""Says how many reviews a job has. Scores are prforge's: prforge eval import --harbor JOB."""

import argparse
import json

EXPECTED = 0


def compute(rewards):
    valid = [r for r in rewards if isinstance(r, dict) and r.get("valid") == 1]
    return {"expected": EXPECTED, "reviews": len(valid), "missing": max(0, EXPECTED - len(valid)), "complete": int(len(valid) >= EXPECTED)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-i", "--input", required=True)
    parser.add_argument("-o", "--output", required=True)
    args = parser.parse_args()
    with open(args.input, encoding="utf-8") as f:
        rewards = [json.loads(line) for line in f if line.strip()]
    with open(args.output, "w", encoding="utf-8") as f:
        json.dump(compute(rewards), f)


if __name__ == "__main__":
    main()
