# Says of each source, by compiler and bytecode, what the rules of injection say
# by reading: the error of compiling, the names that no binding reaches, and the
# local names that are read where no path of the control flow graph has stored
# them. It shares nothing with collectors/python/check.py, which asks symtable, and
# bytecode by its order. Nothing of a source is run.
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


STORES = ("STORE_FAST", "STORE_DEREF")
LOADS = ("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_DEREF")
ENDS = ("RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE", "JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT")


def parameters(code):
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    return frozenset(code.co_varnames[:count])


def given(inner, cache={}):
    """The names of outer cells that a code, or one inside it, stores to: from where it is made on, they may have a value."""
    if inner not in cache:
        if len(cache) > 5000:
            cache.clear()
        cache[inner] = {i.argval for code in codes(inner) for i, _ in instructions(code) if i.opname == "STORE_DEREF" and i.argval in code.co_freevars}
    return cache[inner]


def unbound(code, cache={}):
    """The local names that a code loads where no path from its beginning has stored them, with the lines: what may have
    been stored is carried along the edges of the control flow graph, handlers of exceptions included, until nothing changes."""
    if code in cache:
        return cache[code]
    listed = instructions(code)
    follows = {i.offset: after.offset for (i, _), (after, _) in zip(listed, listed[1:])}
    at = {i.offset: i for i, _ in listed}
    handlers = {}
    for entry in dis.Bytecode(code).exception_entries:
        for offset in range(entry.start, entry.end, 2):
            handlers.setdefault(offset, []).append(entry.target)
    stored, work = {}, [(0, parameters(code))]
    while work:
        offset, names = work.pop()
        before = stored.get(offset)
        if before is not None and names <= before:
            continue
        names = stored[offset] = names | (before or frozenset())
        i = at[offset]
        work += [(target, names) for target in handlers.get(offset, ())]
        if i.opname in STORES:
            names |= {i.argval}
        elif isinstance(i.argval, types.CodeType):
            names |= given(i.argval)
        if i.opcode in dis.hasjrel or i.opcode in dis.hasjabs:
            work.append((i.argval, names))
        if i.opname not in ENDS and offset in follows:
            work.append((follows[offset], names))
    own = set(code.co_varnames) | set(code.co_cellvars)
    # The compiler copies a finally block to each way out of its try: a line is named only where no copy of it can have a value.
    loads = {(i.argval, line, i.argval in stored[i.offset]) for i, line in listed if i.opname in LOADS and i.argval in own and i.offset in stored}
    out = {(name, line) for name, line, has in loads if not has and (name, line, True) not in loads}
    if len(cache) > 5000:
        cache.clear()
    cache[code] = out
    return out


def early(module):
    out = {}
    for code in codes(module):
        for name, line in unbound(code):
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
