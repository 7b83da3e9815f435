# Says of each source whether the interpreter compiles it and which names its
# scopes read and bind. Nothing is imported or run. One JSON request a line from
# standard input, one JSON answer a line on descriptor 3.
import ast
import base64
import dis
import json
import os
import resource
import symtable
import sys
import types
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


def codes(code):
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from codes(const)


def early(module):
    """The local names that bytecode reads before any store could reach them, with the lines; None where this
    interpreter's bytecode is not known here."""
    if sys.version_info[:2] not in ((3, 11), (3, 12)):
        return None
    out = {}
    for code in codes(module):
        arguments = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
        own = (set(code.co_varnames) | set(code.co_cellvars)) - set(code.co_varnames[:arguments])
        stores, loads, jumps, line = {}, [], [], code.co_firstlineno
        for i in dis.get_instructions(code):
            if i.positions is not None and i.positions.lineno:
                line = i.positions.lineno
            if i.opname in ("STORE_FAST", "STORE_DEREF"):
                stores.setdefault(i.argval, i.offset)
            elif i.opname in ("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_DEREF") and i.argval in own:
                loads.append((i.offset, i.argval, line))
            elif "JUMP_BACKWARD" in i.opname:
                jumps.append((i.argval, i.offset))
        for at, name, line in loads:
            if at < stores.get(name, len(code.co_code)) and not any(first <= at <= last for first, last in jumps):
                out.setdefault(name, set()).add(line)
    return {name: sorted(lines) for name, lines in out.items()}


def second_reader(source, path):
    """The names that pyflakes misses, with the lines, and all that it says; None where it is not installed or gives up."""
    try:
        from pyflakes import checker, messages
        found = checker.Checker(ast.parse(source, path), path).messages
    except Exception:
        return None, None
    missed, remarks = {}, []
    for m in sorted(found, key=lambda m: (m.lineno, m.col)):
        name = str(m.message_args[0]) if m.message_args else ""
        if isinstance(m, (messages.UndefinedName, messages.UndefinedLocal)):
            missed.setdefault(name, []).append(m.lineno)
        remarks.append({"line": m.lineno, "type": type(m).__name__, "name": name})
    return missed, remarks


def check(source, path):
    try:
        module = compile(source, path, "exec", dont_inherit=True)
    except SyntaxError as e:
        return {"error": {"type": type(e).__name__, "message": str(e.msg), "line": e.lineno or 0, "column": e.offset or 0}}
    except (ValueError, RecursionError, MemoryError) as e:
        return {"error": {"type": type(e).__name__, "message": str(e), "line": 0, "column": 0}}
    try:
        missed, remarks = second_reader(source, path)
        return {"scopes": scopes(symtable.symtable(source, path, "exec"), []), "early": early(module), "pyflakes": missed, "remarks": remarks}
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
