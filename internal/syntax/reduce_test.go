package syntax_test

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/syntax"
)

// TestReduce: of a definition the statement and then the block around a line are
// shown, below the heads of what is around them.
func TestReduce(t *testing.T) {
	cases := []struct{ path, src, narrow, block string }{
		{"defaults.py", `NAMESPACES = Namespace(
    accept_content=Option(DEFAULT_ACCEPT_CONTENT, type='list', old=OLD_NAMES),
    beat=Namespace(
        max_loop_interval=Option(0, type='float', deprecated_by='beat_interval'),
        scheduler=CHANGED('celery.beat:PersistentScheduler'),
        sync_every=Option(0, type='int', description='after so many tasks'),
    ),
    broker=Option(None, type='string', description='where to connect to'),
)
`, `NAMESPACES = Namespace(
    # ...
    beat=Namespace(
        # ...
        scheduler=CHANGED('celery.beat:PersistentScheduler'),
        # ...
    ),
    # ...
)
`, `        max_loop_interval=Option(0, type='float', deprecated_by='beat_interval'),
`},
		{"a.py", `def pay(order, clock):
    """Pays an order."""
    total = sum(line.price for line in order)
    audit = make_audit(order, total, clock.now(), retries=3)
    for attempt in range(9):
        prepare_everything_for_this_attempt(order, attempt)
        log.info("attempt %d for the order %s", attempt, order)
        with lock_of_the_account(order.account) as held:
            CHANGED(held)
        release_everything_after_this_attempt(order, attempt)
        log.info("released %d for the order %s", attempt, order)
    else:
        give_up_and_tell_the_customer_about_it(order)
        return None
    audit.close()
    return total
`, `def pay(order, clock):
    # ...
    for attempt in range(9):
        # ...
        with lock_of_the_account(order.account) as held:
            CHANGED(held)
        # ...
    else:
        ...
    # ...
`, `    for attempt in range(9):
        prepare_everything_for_this_attempt(order, attempt)
`},
		{"a.go", `package p

func pay(o *Order) (int, error) {
	total := sum(o)
	audit := newAudit(o, total)
	switch o.Kind {
	case cash:
		count(o)
		return total, nil
	case card:
		CHANGED(o)
	default:
		panic("unknown kind of order, which cannot be paid in any way")
	}
	audit.close()
	return total, nil
}
`, `func pay(o *Order) (int, error) {
	// ...
	switch o.Kind {
	case cash:
		// ...
	case card:
		CHANGED(o)
	default:
		// ...
	}
	// ...
}
`, `	switch o.Kind {
	case cash:
		count(o)
`},
		{"A.java", `class A {
    int pay(Order o) throws IOException {
        int total = sum(o);
        Audit audit = new Audit(o, total);
        try {
            open(o);
            prepareEverything(o);
            prepareEverythingElse(o);
            if (o.isCard()) {
                CHANGED(o);
            }
        } catch (IOException e) {
            audit.fail(e);
            throw e;
        }
        audit.close();
        return total;
    }
}
`, `    int pay(Order o) throws IOException {
        // ...
        try {
            // ...
            if (o.isCard()) {
                CHANGED(o);
            }
        } catch (IOException e) {
            // ...
        }
        // ...
    }
`, `        try {
            open(o);
`},
		{"a.js", `async function pay(order) {
  const total = sum(order);
  const audit = makeAudit(order, total);
  order.lines.forEach(async (line) => {
    const before = await load(line);
    check(before);
    checkAgain(before);
    if (line.card) {
      await CHANGED(line);
    }
  });
  audit.close();
  return total;
}
`, `async function pay(order) {
  // ...
  order.lines.forEach(async (line) => {
    // ...
    if (line.card) {
      await CHANGED(line);
    }
  });
  // ...
}
`, `    const before = await load(line);
`},
		{"a.tsx", `export class Till<T extends Order> {
  pay(order: T): JSX.Element {
    const total: number = sum(order);
    const audit = makeAudit(order, total);
    while (order.open) {
      step(order);
      stepAgain(order);
      stepOnceMore(order);
      CHANGED<T>(order);
    }
    audit.close();
    return <b>{total}</b>;
  }
}
`, `  pay(order: T): JSX.Element {
    // ...
    while (order.open) {
      // ...
      CHANGED<T>(order);
    }
    // ...
  }
`, `      step(order);
`},
		{"api.go", `package p

type Service interface {
	// Build builds what a project is made of.
	Build(ctx context.Context, project *Project, options BuildOptions) error
	Push(ctx context.Context, project *Project, options PushOptions) error
	Pull(ctx context.Context, project *Project, options PullOptions) error
	Create(ctx context.Context, project *Project, options CreateOptions) error
	CHANGED(ctx context.Context, project *Project) error
}
`, `type Service interface {
	// ...
	CHANGED(ctx context.Context, project *Project) error
}
`, `	// ...
	Pull(ctx context.Context, project *Project, options PullOptions) error
	Create(`},
		{"kinds.ts", `export enum Kinds {
  string = "the kind of a string, which has characters",
  number = "the kind of a number, which has digits in it",
  bigint = "the kind of a large number, which has more",
  boolean = "the kind of what is either true or false",
  date = "CHANGED",
}
`, `export enum Kinds {
  // ...
  date = "CHANGED",
}
`, `  bigint = `},
	}
	for _, c := range cases {
		t.Run(c.path, func(t *testing.T) {
			f := languages.Parse(c.path, []byte(c.src), syntax.DefaultOptions())
			line := 1 + strings.Count(c.src[:strings.Index(c.src, "CHANGED")], "\n")
			def := f.Enclosing(line)
			for !f.Definitions[def].HasBody() {
				def = f.Definitions[def].Parent
			}
			r, ok := f.NewReducer([]byte(c.src), syntax.DefaultOptions())
			if !ok {
				t.Fatal("no reducer")
			}
			all := r.Reduce(def, []int{line})
			if len(all) < 2 {
				t.Fatalf("%d reductions", len(all))
			}
			wide := false
			for i, reduction := range all {
				text := f.Compose([]byte(c.src), syntax.Pick{Def: def, Form: syntax.Reduced, Reduction: reduction})
				if !syntax.Parses(f.Language, text) || !strings.Contains(text, "CHANGED") {
					t.Errorf("width %d does not parse or lacks the change:\n%s", i, text)
				}
				if i == 0 && !strings.Contains(text, c.narrow) {
					t.Errorf("narrowest:\n%s\nwant\n%s", text, c.narrow)
				}
				wide = wide || strings.Contains(text, c.block)
				if i > 0 && reduction.Omitted() >= all[i-1].Omitted() {
					t.Errorf("width %d omits %d bytes, the one before %d", i, reduction.Omitted(), all[i-1].Omitted())
				}
			}
			if !wide {
				t.Errorf("no width shows the block:\n%s", c.block)
			}
		})
	}
}

// TestHeads: of a body only the heads around a line are left.
func TestHeads(t *testing.T) {
	const src = `def pay(order, clock):
    total = sum(line.price for line in order if line.is_to_be_paid_now)
    for attempt in range(9):
        prepare_everything_for_this_attempt(order, attempt, total, 0)
        if order.open:
            charge_the_account_of_the_order(order, attempt, total)
            return total
    audit_what_was_not_paid_after_all_of_nine_attempts(order, total, 9)

def short(order):
    return order.total

def documented(order):
    """Pays an order.

    The clock is asked for the time at which it was paid,
    CHANGED and again when the money has come in.
    """
    prepare_everything_for_this_attempt(order, attempt, total, 0)
    return total
`
	f := languages.Parse("a.py", []byte(src), syntax.DefaultOptions())
	r, _ := f.NewReducer([]byte(src), syntax.DefaultOptions())
	heads, ok := r.Heads(0, []int{6, 7})
	text := f.Compose([]byte(src), syntax.Pick{Def: 0, Form: syntax.Reduced, Reduction: heads})
	if want := "def pay(order, clock):\n    # ...\n    for attempt in range(9):\n        # ...\n        if order.open:\n            ...\n    # ...\n"; !ok || text != want || !syntax.Parses(f.Language, text) {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	above := r.Reduce(0, []int{1})
	if text := f.Compose([]byte(src), syntax.Pick{Def: 0, Form: syntax.Reduced, Reduction: above[0]}); text != "def pay(order, clock):\n    ...\n" || len(above) != 1 {
		t.Errorf("a change of the signature keeps\n%s", text)
	}
	doc := r.Reduce(2, []int{17})
	if text := f.Compose([]byte(src), syntax.Pick{Def: 2, Form: syntax.Reduced, Reduction: doc[0]}); text != "def documented(order):\n    ...\n" {
		t.Errorf("a change of documentation keeps\n%s", text)
	}
	if _, ok := r.Heads(1, []int{11}); ok {
		t.Error("something is left out of a body of one short statement")
	}
}

func TestReduce_NothingToTell(t *testing.T) {
	for path, src := range map[string]string{
		"a.py": "def broken(order):\n    first(order)\n    x = 1 ) 2\n    second(order)\n    third(order)\n",
		"a.go": "package p\n\nfunc bodyless(a, b int) int\n",
	} {
		f := languages.Parse(path, []byte(src), syntax.DefaultOptions())
		r, ok := f.NewReducer([]byte(src), syntax.DefaultOptions())
		if !ok || len(f.Definitions) != 1 {
			t.Fatalf("%s: %v, %+v", path, ok, f.Definitions)
		}
		if _, ok := r.Heads(0, []int{2}); ok || r.Reduce(0, []int{2}) != nil {
			t.Errorf("%s: %s is reduced: %+v", path, f.Definitions[0].Name, r.Reduce(0, []int{2}))
		}
	}
}

// TestBlanksBehindADefinition: what is left out goes to the end of the line, a
// definition only to its last statement.
func TestBlanksBehindADefinition(t *testing.T) {
	const code = `def pay(order, clock):
    total = CHANGED(order)
    return make_audit_of_what_was_paid(order, total, clock.now())`
	for _, end := range []string{"", "\n", "  ", "  \n", " \t\nx = 1\n", "  # done\n"} {
		src := []byte(code + end)
		f := languages.Parse("a.py", src, syntax.DefaultOptions())
		r, _ := f.NewReducer(src, syntax.DefaultOptions())
		narrow := r.Reduce(0, []int{2})[0]
		text := f.Compose(src, syntax.Pick{Def: 0, Form: syntax.Reduced, Reduction: narrow})
		if want := "def pay(order, clock):\n    total = CHANGED(order)\n    # ...\n"; text != want || !syntax.Parses(f.Language, text) {
			t.Errorf("%q: got\n%s", end, text)
		}
	}
}

// TestReductionsOfGo: every reduction of every definition of every Go file here,
// to what is around some of its lines, is legal to Go's own parser.
func TestReductionsOfGo(t *testing.T) {
	if testing.Short() {
		t.Skip("parses every definition of the repository several times")
	}
	n := 0
	for path, src := range goFiles(t) {
		f := languages.Parse(path, src, syntax.DefaultOptions())
		r, ok := f.NewReducer(src, syntax.DefaultOptions())
		if !ok {
			continue
		}
		for i, d := range f.Definitions {
			lines := []int{(d.Lines.Start + d.Lines.End) / 2, d.Lines.End - 2}
			for _, reduction := range r.Reduce(i, lines) {
				n++
				text := f.Compose(src, syntax.Pick{Def: i, Form: syntax.Reduced, Reduction: reduction})
				if _, err := parser.ParseFile(token.NewFileSet(), path, "package p\n"+text, parser.SkipObjectResolution); err != nil {
					t.Errorf("%s: %s: %v\n%s", path, d.Qualified, err, text)
				}
			}
		}
	}
	if n == 0 {
		t.Fatal("nothing was reduced")
	}
}
