# Says of edits of a source whether a function behaves otherwise after them: it is called
# with made-up arguments on the original and on the edited source, and everything that
# can be seen from outside is compared. What the file imports is not there: a recorder
# stands for it, which does whatever is asked of it and writes it down. Modules of the
# standard library that only compute are the real ones.
#
# One JSON request a line from standard input, one JSON answer a line on descriptor 3.
import ast
import base64
import builtins
import hashlib
import importlib
import json
import os
import re
import resource
import sys
import types
import warnings

CALLS = 24  # scenarios of a function
STEPS = 4000  # lines that a call may run
EVENTS = 300  # of a call that are written down
REAL = {"__future__", "abc", "base64", "bisect", "collections", "copy", "dataclasses", "decimal", "enum", "fractions", "functools", "heapq", "itertools", "json", "keyword",
        "math", "numbers", "operator", "re", "string", "textwrap", "types", "typing"}
QUIET = re.compile(r"(?i)(^|[._(])(log|logger|logging|getlogger|get_logger|warnings|warn|debug|info)([._()]|$)")
ERROR = re.compile(r"(Error|Exception|Exit|Exists|DoesNotExist|NotFound|Timeout|Warning|Interrupt|Ignore|Retry|Reject)$")


class Over(BaseException):
    """A call did more than it may."""


class Run:
    """One call: what was seen, and what chance says in it."""

    def __init__(self, seed, raises):
        self.seed, self.events, self.steps, self.calls, self.raises = seed, [], 0, 0, raises

    def note(self, *what):
        if len(self.events) >= EVENTS:
            raise Over("events")
        self.events.append(" ".join(what))

    def draw(self, path, most):
        return int.from_bytes(hashlib.sha256(f"{self.seed} {path}".encode("utf-8", "replace")).digest()[:4], "big") % most


now = Run(0, None)
errors = {}


def error(name):
    """The class that stands for an exception of another module."""
    if name not in errors:
        base = Warning if name.endswith("Warning") else Exception
        errors[name] = type(name, (base,), {})
    return errors[name]


def show(v, depth=0):
    if isinstance(v, Recorder):
        return v._path
    if v is None or isinstance(v, (bool, int, float, complex, str, bytes)):
        return repr(v)[:200]
    if depth > 3:
        return "..."
    if isinstance(v, dict):
        return "{" + ", ".join(show(k, depth + 1) + ": " + show(x, depth + 1) for k, x in list(v.items())[:20]) + "}"
    if isinstance(v, (list, tuple)):
        return type(v).__name__ + "(" + ", ".join(show(x, depth + 1) for x in v[:20]) + ")"
    if isinstance(v, (set, frozenset)):
        return type(v).__name__ + "(" + ", ".join(sorted(show(x, depth + 1) for x in v)[:20]) + ")"
    if isinstance(v, BaseException):
        return type(v).__name__ + "(" + ", ".join(show(x, depth + 1) for x in v.args) + ")"
    if isinstance(v, types.GeneratorType):
        return "generator"
    if isinstance(v, types.CoroutineType):
        v.close()
        return "coroutine"
    if isinstance(v, (types.FunctionType, type)):
        return v.__name__
    try:
        inner = vars(v)
    except TypeError:
        inner = {}
    return type(v).__name__ + "<" + ", ".join(f"{k}={show(x, depth + 1)}" for k, x in sorted(inner.items())[:10]) + ">"


def number(v):
    return v._number() if isinstance(v, Recorder) else v


class Recorder:
    """Stands for a value that nothing is known of."""

    def __init__(self, path):
        object.__setattr__(self, "_path", path[:400])
        object.__setattr__(self, "_set", {})

    def _number(self):
        return now.draw("number " + self._path, 5) - 1

    def _quiet(self):
        return QUIET.search(self._path) is not None

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        known = object.__getattribute__(self, "_set")
        if name not in known:
            known[name] = error(name) if ERROR.search(name) and name[0].isupper() else Recorder(self._path + "." + name)
        return known[name]

    def __setattr__(self, name, value):
        if not self._quiet():
            now.note("set", self._path + "." + name, show(value))
        self._set[name] = value

    def __delattr__(self, name):
        now.note("del", self._path + "." + name)
        self._set.pop(name, None)

    def __call__(self, *args, **kwargs):
        if loading and len(args) == 1 and not kwargs and isinstance(args[0], (types.FunctionType, type, classmethod, staticmethod, property)):
            return args[0]  # a decorator
        path = self._path + "(" + ", ".join([show(a) for a in args] + [k + "=" + show(v) for k, v in kwargs.items()]) + ")"
        if loading or self._quiet():
            return Recorder(path)
        now.note("call", path)
        now.calls += 1
        if now.raises and now.calls == now.raises[0]:
            raise now.raises[1]("made up")
        return None if now.draw("none " + path, 6) == 0 else Recorder(path)

    def __getitem__(self, key):
        return Recorder(self._path + "[" + show(key) + "]")

    def __setitem__(self, key, value):
        now.note("set", self._path + "[" + show(key) + "]", show(value))

    def __delitem__(self, key):
        now.note("del", self._path + "[" + show(key) + "]")

    def __contains__(self, key):
        return bool(now.draw("in " + self._path + " " + show(key), 2))

    def __iter__(self):
        return iter([Recorder(f"{self._path}#{i}") for i in range(len(self))])

    def __reversed__(self):
        return reversed(list(iter(self)))

    def __len__(self):
        return now.draw("len " + self._path, 4)

    def __bool__(self):
        return bool(now.draw("bool " + self._path, 2))

    def __int__(self):
        return self._number()

    __index__ = __int__

    def __float__(self):
        return float(self._number())

    def __str__(self):
        return "<" + self._path + ">"

    __repr__ = __str__

    def __format__(self, spec):
        return "<" + self._path + ">"

    def __hash__(self):
        return int.from_bytes(hashlib.sha256(self._path.encode("utf-8", "replace")).digest()[:6], "big")

    def __eq__(self, other):
        if isinstance(other, (int, float)):
            return self._number() == other
        if isinstance(other, Recorder):
            return self._path == other._path or bool(now.draw("eq " + " ".join(sorted([self._path, other._path])), 2))
        return bool(now.draw("eq " + self._path + " " + show(other), 2))

    def __ne__(self, other):
        return not self == other

    def __lt__(self, other):
        return compare(self, other) < 0

    def __le__(self, other):
        return compare(self, other) <= 0

    def __gt__(self, other):
        return compare(self, other) > 0

    def __ge__(self, other):
        return compare(self, other) >= 0

    def __enter__(self):
        now.note("enter", self._path)
        return Recorder(self._path + "!with")

    def __exit__(self, *exc):
        now.note("exit", self._path)
        return False

    async def __aenter__(self):
        return self.__enter__()

    async def __aexit__(self, *exc):
        return self.__exit__()

    def __await__(self):
        now.note("await", self._path)
        return Recorder(self._path + "!await")
        yield  # a generator, as awaiting asks for

    def __aiter__(self):
        return Items(iter(self))

    def __instancecheck__(self, value):
        return bool(now.draw("isinstance " + self._path + " " + show(value), 2))

    def __subclasscheck__(self, value):
        return bool(now.draw("issubclass " + self._path + " " + show(value), 2))

    def __mro_entries__(self, bases):
        return () if any(isinstance(b, type) for b in bases) else (Base,)


class Items:
    def __init__(self, items):
        self.items = items

    def __aiter__(self):
        return self

    async def __anext__(self):
        for item in self.items:
            return item
        raise StopAsyncIteration


class Meta(type):
    def __getattr__(cls, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Recorder(cls.__name__ + "." + name)


class Base(metaclass=Meta):
    def __init__(self, *args, **kwargs):
        pass

    def __init_subclass__(cls, **kwargs):
        pass

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Recorder(type(self).__name__ + "()." + name)


def compare(a, b):
    x, y = number(a), number(b)
    if not isinstance(y, (int, float)):
        y = now.draw("number " + show(b), 5) - 1
    return x - y


def arithmetic(symbol):
    def left(self, other):
        return Recorder("(" + self._path + symbol + show(other) + ")")

    def right(self, other):
        return Recorder("(" + show(other) + symbol + self._path + ")")
    return left, right


for name, symbol in {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "and": "&", "or": "|", "xor": "^", "lshift": "<<",
                     "rshift": ">>", "matmul": "@"}.items():
    ahead, behind = arithmetic(symbol)
    setattr(Recorder, f"__{name}__", ahead)
    setattr(Recorder, f"__r{name}__", behind)
for name, symbol in {"neg": "-", "pos": "+", "invert": "~", "abs": "abs "}.items():
    setattr(Recorder, f"__{name}__", lambda self, symbol=symbol: Recorder("(" + symbol + self._path + ")"))


class Shifted(Recorder):
    """A sum with a number, which compares as one."""


def add(self, other):
    if isinstance(other, int):
        return shifted(self, other, "+")
    return Recorder("(" + self._path + "+" + show(other) + ")")


def subtract(self, other):
    if isinstance(other, int):
        return shifted(self, -other, "-")
    return Recorder("(" + self._path + "-" + show(other) + ")")


def shifted(r, by, symbol):
    out = Shifted("(" + r._path + symbol + str(abs(by)) + ")")
    value = r._number() + by
    object.__setattr__(out, "_number", lambda: value)
    return out


Recorder.__add__, Recorder.__sub__ = add, subtract


def stands_for(name, *rest):
    """A module that recorders stand for."""
    fromlist = rest[2] if len(rest) > 2 else ()
    level = rest[3] if len(rest) > 3 else 0
    if level == 0 and name.split(".")[0] in REAL:
        return importlib.__import__(name, fromlist=fromlist)
    if fromlist and "*" in fromlist:
        raise ImportError("a wildcard import")
    return Recorder(name if fromlist else name.split(".")[0]) if name else Recorder("package")


loading = False
safe = {k: v for k, v in vars(builtins).items() if k not in ("open", "input", "breakpoint", "exec", "eval", "compile", "exit", "quit", "help", "print")}


def load(code, path):
    """The names of the file after it ran."""
    global loading
    own = dict(safe)
    own["__import__"] = stands_for
    for name in ("open", "input", "print", "exec", "eval"):
        own[name] = Recorder(name)
    names = {"__builtins__": own, "__name__": "module", "__file__": path}
    loading = True
    try:
        limited(lambda: exec(compile(code, path, "exec", dont_inherit=True), names), path)
    finally:
        loading = False
    return names


def limited(call, path):
    now.steps = 0

    def step(frame, event, arg):
        now.steps += 1
        if now.steps > STEPS:
            raise Over("steps")
        return step
    sys.settrace(lambda frame, event, arg: step if frame.f_code.co_filename == path else None)
    try:
        return call()
    finally:
        sys.settrace(None)


def target(tree, line):
    """The path of the outermost function around a line, with what may be raised in it."""
    def inside(body, names):
        for n in body:
            first = min([n.lineno] + [d.lineno for d in getattr(n, "decorator_list", [])])
            if not first <= line <= (n.end_lineno or first):
                continue
            if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)):
                return names + [n.name], n
            if isinstance(n, ast.ClassDef):
                return inside(n.body, names + [n.name])
        return None
    return inside(tree.body, [])


def raised(node, names):
    """The exceptions that the function's handlers are for."""
    out = []
    for n in ast.walk(node):
        if isinstance(n, ast.ExceptHandler):
            kinds = n.type.elts if isinstance(n.type, ast.Tuple) else [n.type]
            for k in kinds:
                try:
                    kind = eval(compile(ast.Expression(k), "handler", "eval"), names) if k is not None else Exception
                except Exception:
                    continue
                if isinstance(kind, type) and issubclass(kind, Exception) and kind not in out:
                    out.append(kind)
    return out


VALUES = {
    "int": [0, 1, 2, 3, -1, 10], "float": [0.0, 0.5, 1.0, -2.0], "bool": [True, False], "str": ["", "a", "ab", "a.b", "x/y", "b"], "bytes": [b"", b"a"],
    "list": [[], [1], [1, 2, 3], ["a", "b"]], "dict": [{}, {"a": 1}], "None": [None],
}


def compared(node):
    """The names that a function compares by size: numbers, as a recorder is never the same as one."""
    out = set()
    for n in ast.walk(node):
        if isinstance(n, ast.Compare) and any(isinstance(o, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for o in n.ops):
            out.update(x.id for x in [n.left] + n.comparators if isinstance(x, ast.Name))
    return out


def argument(name, note, default, seed, counts):
    """A value for a parameter: of its annotation's or its default's type, else a recorder or something simple."""
    kind = "int" if counts else ""
    if isinstance(note, ast.Name):
        kind = note.id
    elif isinstance(note, ast.Subscript) and isinstance(note.value, ast.Name):
        kind = {"List": "list", "Dict": "dict"}.get(note.value.id, note.value.id)
    elif isinstance(default, ast.Constant) and default.value is not None:
        kind = type(default.value).__name__
    pool = VALUES.get(kind)
    if pool is None:
        pick = now.draw(f"sort {name} {seed}", 8)
        pool = VALUES["int"] if pick == 0 else VALUES["str"] if pick == 1 else VALUES["list"] if pick == 2 else VALUES["None"] if pick == 3 and default is not None else None
    if pool is None:
        return Recorder(name)
    value = pool[now.draw(f"value {name} {seed}", len(pool))]
    return value.copy() if isinstance(value, (list, dict)) else value


def arguments(node, path, seed):
    a = node.args
    positional, sizes = a.posonlyargs + a.args, compared(node)
    defaults = [None] * (len(positional) - len(a.defaults)) + a.defaults
    static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
    args, kwargs = [], {}
    for i, (p, d) in enumerate(zip(positional, defaults)):
        if i == 0 and len(path) > 1 and not static:
            args.append(Recorder(p.arg))
        elif d is not None and now.draw(f"default {p.arg} {seed}", 2) and not kwargs:
            break
        else:
            args.append(argument(p.arg, p.annotation, d, seed, p.arg in sizes))
    for p, d in zip(a.kwonlyargs, a.kw_defaults):
        if d is None or now.draw(f"default {p.arg} {seed}", 2):
            kwargs[p.arg] = argument(p.arg, p.annotation, d, seed, p.arg in sizes)
    return args, kwargs


def function(names, path):
    at = names[path[0]]
    for name in path[1:]:
        at = vars(at)[name] if isinstance(at, type) else None
    if isinstance(at, property):
        at = at.fget
    at = getattr(at, "__func__", at)
    while hasattr(at, "__wrapped__"):
        at = at.__wrapped__
    return at if isinstance(at, types.FunctionType) else None


def drive(result):
    """What awaiting or running through a result gives."""
    if isinstance(result, types.CoroutineType):
        try:
            result.send(None)
        except StopIteration as e:
            return e.value
        result.close()
        return "suspended"
    if isinstance(result, types.GeneratorType):
        out = []
        for item in result:
            out.append(item)
            if len(out) >= 20:
                break
        return out
    return result


def outcome(names, path, node, filename, scenario, kinds):
    """What a call does, twice in a row, as text; None where it says nothing."""
    global now
    called = function(names, path)
    if called is None:
        return None
    out = []
    raises = None
    if kinds and scenario % 3:
        raises = (1 + scenario // 3 % 4, kinds[scenario % len(kinds)])
    for time in range(2):
        now = Run(scenario, raises)
        args, kwargs = arguments(node, path, scenario)
        given = ", ".join([show(a) for a in args] + [k + "=" + show(v) for k, v in kwargs.items()])
        try:
            end = "returns " + show(limited(lambda: drive(called(*args, **kwargs)), filename))
        except Over:
            return None
        except RecursionError:
            return None
        except Exception as e:
            end = "raises " + show(e)
            own = any(f == filename for f in files(e)) and isinstance(e, tuple(errors.values()) + (ValueError, KeyError, RuntimeError, NotImplementedError, StopIteration))
            if not own and not (raises and isinstance(e, raises[1])) and type(e).__module__ == "builtins":
                end = "breaks " + type(e).__name__
        except BaseException:
            return None
        out.append("; ".join(now.events + [end]))
        out.append("arguments now " + show(args) + show(kwargs))
    return called.__name__ + "(" + given + ")", out


def files(e):
    tb = e.__traceback__
    while tb:
        yield tb.tb_frame.f_code.co_filename
        tb = tb.tb_next


def behaviors(code, filename, path, node):
    """The outcomes of all scenarios."""
    global now
    now = Run(0, None)
    names = load(code, filename)
    kinds = raised(node, names)
    return [outcome(names, path, node, filename, s, kinds) for s in range(CALLS)]


def difference(before, after):
    """The first call that tells the two apart, of those that the original takes well."""
    same = 0
    for a, b in zip(before, after):
        if a is None or b is None or any("breaks " in line for line in a[1]) or any("breaks NameError" in line or "breaks UnboundLocalError" in line for line in b[1]):
            continue
        for x, y in zip(a[1], b[1]):
            if x != y:
                return {"code": "", "call": a[0][:300], "before": apart(x, y), "after": apart(y, x)}
        same += 1
    return {"code": "same_behavior" if same else "not_called"}


def apart(x, y):
    """The part of a text that differs from another, with a few characters before."""
    i = 0
    while i < min(len(x), len(y)) and x[i] == y[i]:
        i += 1
    return x[max(0, i - 60):i + 200]


def answer(request):
    code = base64.b64decode(request["code"])
    filename = "module.py"
    known, out = {}, []
    try:
        tree = ast.parse(code, filename)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [{"code": "newer_syntax"} for _ in request["edited"]]
    for e in request["edited"]:
        out.append(tried(code, base64.b64decode(e["code"]), tree, e["line"], filename, known))
    return out


def tried(code, edited, tree, line, filename, known):
    found = target(tree, line)
    if found is None:
        return {"code": "no_function"}
    path, node = found
    key = ".".join(path)
    try:
        if key not in known:
            known[key] = behaviors(code, filename, path, node)
            if known[key] != behaviors(code, filename, path, node):
                known[key] = []  # chance
        after = target(ast.parse(edited, filename), line)
        if after is None or after[0] != path:
            return {"code": "no_function"}
        return {"function": key, **difference(known[key], behaviors(edited, filename, path, after[1]))}
    except BaseException as e:
        known.setdefault(key, [])
        return {"code": "not_loaded", "why": type(e).__name__ + ": " + str(e)[:200]}


def main():
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(400)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        resource.setrlimit(resource.RLIMIT_AS, (request["memory"], request["memory"]))
        data = json.dumps({"results": answer(request)}).encode() + b"\n"
        while data:
            data = data[os.write(3, data):]


main()
