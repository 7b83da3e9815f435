# Says of each source whether the interpreter compiles it and which names its
# scopes read and bind. Nothing is imported or run. One JSON request a line from
# standard input, one JSON answer a line on descriptor 3.
import base64
import json
import os
import resource
import symtable
import sys
import warnings


def scopes(table, out):
    symbols = table.get_symbols()
    out.append({
        "kind": str(table.get_type()), "name": table.get_name(), "line": table.get_lineno(),
        "globals": sorted(s.get_name() for s in symbols if s.is_global() and (s.is_referenced() or s.is_assigned())),
        "bound": sorted(s.get_name() for s in symbols if s.is_local() or s.is_assigned() or s.is_imported() or s.is_parameter()),
    })
    for inner in table.get_children():
        scopes(inner, out)
    return out


def check(source, path):
    try:
        compile(source, path, "exec", dont_inherit=True)
    except SyntaxError as e:
        return {"error": {"type": type(e).__name__, "message": str(e.msg), "line": e.lineno or 0, "column": e.offset or 0}}
    except (ValueError, RecursionError, MemoryError) as e:
        return {"error": {"type": type(e).__name__, "message": str(e), "line": 0, "column": 0}}
    try:
        return {"scopes": scopes(symtable.symtable(source, path, "exec"), [])}
    except (SyntaxError, ValueError, RecursionError, UnicodeDecodeError) as e:
        return {"error": {"type": type(e).__name__, "message": str(e), "line": 0, "column": 0}}


def main():
    warnings.simplefilter("ignore")
    for line in sys.stdin.buffer:
        request = json.loads(line)
        resource.setrlimit(resource.RLIMIT_AS, (request["memory"], request["memory"]))
        answer = check(base64.b64decode(request["code"]), request["path"])
        data = json.dumps(answer).encode() + b"\n"
        while data:
            data = data[os.write(3, data):]


main()
