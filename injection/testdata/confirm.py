# Says of each source, by compiler and bytecode, what the rules of injection say
# by reading: the error of compiling, the names that no binding reaches, and the
# local names that are read before any store. Nothing of a source is run.
# One JSON request a line in, one JSON answer a line out.
import builtins
import dis
import json
import sys
import types
import warnings

KNOWN = set(dir(builtins)) | {
    "__name__", "__file__", "__doc__", "__path__", "__package__", "__spec__", "__loader__", "__builtins__", "__cached__",
    "__annotations__", "__dict__", "WindowsError", "copyright", "credits", "exit", "quit", "license", "help",
}


def codes(code):
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from codes(const)


def instructions(code, cache={}):
    if code not in cache:
        if len(cache) > 5000:
            cache.clear()
        line, cache[code] = code.co_firstlineno, []
        for i in dis.get_instructions(code):
            if i.positions is not None and i.positions.lineno:
                line = i.positions.lineno
            cache[code].append((i, line))
    return cache[code]


def globals_of(module):
    bound = set()
    for code in codes(module):
        for i, _ in instructions(code):
            if i.opname == "STORE_GLOBAL" or i.opname in ("STORE_NAME", "DELETE_NAME") and code is module:
                bound.add(i.argval)
    return bound


def undefined(module):
    bound = globals_of(module) | KNOWN
    out = {}
    for code in codes(module):
        own = {i.argval for i, _ in instructions(code) if i.opname == "STORE_NAME"}
        for i, line in instructions(code):
            if i.opname in ("LOAD_GLOBAL", "LOAD_NAME") and i.argval not in bound and i.argval not in own:
                out.setdefault(i.argval, set()).add(line)
    return {name: sorted(lines) for name, lines in out.items()}


def early(module):
    out = {}
    for code in codes(module):
        arguments = set(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)])
        own = (set(code.co_varnames) | set(code.co_cellvars)) - arguments
        stores, loads, jumps = {}, [], []
        for i, line in instructions(code):
            if i.opname in ("STORE_FAST", "STORE_DEREF"):
                stores[i.argval] = min(stores.get(i.argval, i.offset), i.offset)
            elif i.opname in ("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_DEREF") and i.argval in own:
                loads.append((i.offset, i.argval, line))
            elif "JUMP_BACKWARD" in i.opname:
                jumps.append((i.argval, i.offset))
        for at, name, line in loads:
            if at < stores.get(name, len(code.co_code)) and not any(first <= at <= last for first, last in jumps):
                out.setdefault(name, set()).add(line)
    return {name: sorted(lines) for name, lines in out.items()}


def answer(source):
    try:
        module = compile(source, "source.py", "exec", dont_inherit=True)
    except SyntaxError as e:
        return {"error": type(e).__name__, "line": e.lineno or 0, "message": str(e.msg)}
    return {"undefined": undefined(module), "early": early(module)}


warnings.simplefilter("ignore")
for request in sys.stdin:
    print(json.dumps(answer(json.loads(request))), flush=True)
