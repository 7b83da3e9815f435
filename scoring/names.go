package scoring

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
)

// maxNames bounds how many names of one comment are looked up.
const maxNames = 50

var (
	webAddress = regexp.MustCompile(`https?://[^\s<>()"'` + "`" + `\]]+`)
	// plainPath is a path in running text: it has a folder or is a source file.
	plainPath = regexp.MustCompile(`(?:[\w.@-]+/)*[\w@-][\w.@-]*\.[A-Za-z][A-Za-z0-9]{0,9}\b`)
	// dottedName is a qualified name in running text.
	dottedName = regexp.MustCompile(`\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\b`)
	wholePath  = regexp.MustCompile(`^(?:\./)?((?:[\w.@+-]+/)*[\w.@+-]+\.[A-Za-z][A-Za-z0-9]{0,9})(?::\d+(?:-\d+)?)?$`)
	// wholeName is a name alone, perhaps called: "Server.close(force)".
	wholeName = regexp.MustCompile(`^[@#&*]?([A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*)(\(.{0,150}\))?$`)
	separator = regexp.MustCompile(`::|#|->`)
)

// namesIn lists the paths and names of code that a comment's prose mentions, in
// order: links to files of the repository itself, code spans that are a path or
// a single name, and, outside of code spans, paths and dotted names. Quoted
// lines, code blocks and HTML comments are not prose. A name needs four
// characters and must look like one: a plain word counts only as a call.
func namesIn(body string, repo model.RepoRef) []string {
	comment := markdown.Read(body)
	var names []string
	for _, address := range comment.Links {
		if p, ok := linkedPath(address, repo); ok {
			names = append(names, p)
		}
	}
	for _, span := range comment.CodeSpans {
		if n, ok := spanName(span); ok {
			names = append(names, n)
		}
	}
	text := webAddress.ReplaceAllString(comment.Plain, " ") // those in HTML, which are no links
	for _, p := range plainPath.FindAllString(text, -1) {
		if strings.Contains(p, "/") || pathkind.IsSource(p) {
			names = append(names, p)
		}
	}
	for _, n := range dottedName.FindAllString(text, -1) {
		if looksLikeCode(n) && !pathkind.IsSource(n) {
			names = append(names, n)
		}
	}
	return uniqueNames(names)
}

// linkedPath is the path in a link to a file of the repository.
func linkedPath(address string, repo model.RepoRef) (string, bool) {
	u, err := url.Parse(strings.TrimRight(address, ".,;:!?"))
	if err != nil {
		return "", false
	}
	parts := strings.SplitN(strings.TrimPrefix(u.Path, "/"), "/", 5)
	if len(parts) < 5 || parts[2] != "blob" || !strings.EqualFold(parts[0]+"/"+parts[1], repo.String()) {
		return "", false
	}
	return parts[4], true
}

// spanName is the name in a code span that holds nothing else.
func spanName(span string) (string, bool) {
	if m := wholePath.FindStringSubmatch(span); m != nil && (strings.Contains(m[1], "/") || pathkind.IsSource(m[1])) {
		return m[1], true
	}
	m := wholeName.FindStringSubmatch(span)
	if m == nil {
		return "", false
	}
	name := separator.ReplaceAllString(m[1], ".")
	for _, receiver := range []string{"self.", "this.", "cls.", "super."} {
		name = strings.TrimPrefix(name, receiver)
	}
	// A plain word counts if it is called; "app.task()" is a call on an unknown object.
	isCall := m[2] != "" && !strings.Contains(name, ".")
	if len(name) < minName || notNames[name] || !looksLikeCode(name) && !isCall {
		return "", false
	}
	return name, true
}

var camel = regexp.MustCompile(`[a-z0-9][A-Z]|^[A-Z]+[a-z]`)

// looksLikeCode reports whether a name cannot be a word of prose: it has an underscore or a capital letter, or is
// qualified with such a name.
func looksLikeCode(name string) bool {
	if len(name) < minName || notNames[name] {
		return false
	}
	parts := strings.Split(name, ".")
	for _, p := range parts {
		if strings.Contains(strings.Trim(p, "_"), "_") || camel.MatchString(p) {
			return true
		}
	}
	return len(parts) > 2 // a.b.c is no abbreviation when it is this long
}

// notNames are keywords, literals and types of the usual languages and of their
// standard libraries, which say nothing about a file.
var notNames = set(`None True False null true false self this super return async await yield import from class func function
	interface struct enum const static final public private protected abstract default export require module package throw throws
	raise except finally else elif continue break switch case while void char byte short long float double boolean string number
	object symbol bigint undefined never unknown String Integer Long Double Float Boolean Object Number Array Map Set List Dict Tuple
	Optional Union Callable Iterable Iterator Sequence Mapping Promise Error Exception TypeError ValueError KeyError RuntimeError
	IndexError AttributeError NotImplementedError IllegalArgumentException IllegalStateException NullPointerException IOException
	RuntimeException Throwable Override Deprecated Nullable NonNull Thread Runnable Class Type Context Test TODO FIXME NOTE README
	print open list dict tuple range type isinstance getattr setattr hasattr super().__init__ __init__ __name__ __all__ __main__
	console console.log JSON.stringify JSON.parse Object.keys Object.assign process.env fmt.Errorf fmt.Sprintf fmt.Println
	errors.Is errors.As errors.New context.Context time.Duration toString equals hashCode GitHub JavaScript TypeScript Python Java Node.js
	Vec Some Err Ok usize unwrap impl trait pub mut println dyn Rust namespace IEnumerable Console.WriteLine ArgumentException
	ArgumentNullException InvalidOperationException NotImplementedException`)

func set(words string) map[string]bool {
	s := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		s[w] = true
	}
	return s
}

// uniqueNames drops repetitions, keeping the first.
func uniqueNames(names []string) []string {
	var out []string
	for _, n := range names {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out[:min(len(out), maxNames)]
}
