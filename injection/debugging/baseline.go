package debugging

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/verdict"
)

// Candidacy says whether a file is worth running at all: a program that does
// something when it runs, needs no input from a person, and is not too long.
// lines is the limit.
func Candidacy(s *Script, lines int) verdict.Verdict {
	if n := strings.Count(string(s.Source()), "\n"); n > lines {
		return verdict.Reject(verdict.ScriptTooLong, "The script has too many lines.")
	}
	acts := false
	for _, n := range s.Tree.Root().NamedChildren() {
		acts = acts || !n.Is("import_statement", "import_from_statement", "future_import_statement", "function_definition",
			"class_definition", "decorated_definition") &&
			!n.ChildOf("string").Exists() && !n.ChildOf("assignment").Exists()
	}
	needs := false
	s.calls(func(c call) {
		needs = needs || !c.receiver.Exists() && c.method == "input" || c.method == "parse_args" ||
			c.method == "ArgumentParser"
	})
	s.each(func(n syntax.Node) {
		needs = needs || n.Text() == "sys.argv"
	}, "attribute")
	switch {
	case needs:
		return verdict.Reject(verdict.NeedsArguments, "The script asks for input or arguments.")
	case !acts:
		return verdict.Reject(verdict.NotAScript, "The file only defines things.")
	}
	return verdict.Pass()
}

var (
	needsNetwork = regexp.MustCompile(`^(gaierror|URLError|HTTPError|ConnectionError|ConnectionRefusedError|MaxRetryError|NewConnectionError|NameResolutionError|RemoteDisconnected)$|Network is unreachable|name resolution|Name or service not known`)
	needsModule  = regexp.MustCompile(`(?i)\brequires?\b|not installed|No module named|pip install|missing (optional )?dependenc`)
	needsLibrary = regexp.MustCompile(`(?i)cannot open shared object|\.so(\.\d+)*\b.*(not found|no such file)|executable.*not found|not found in path|unable to find.*library|could not find.*(library|shared)|failed to execute`)
	programs     = map[string]bool{"dot": true, "neato": true, "latex": true, "pdflatex": true, "ffmpeg": true,
		"convert": true, "gs": true, "node": true, "gcc": true, "git": true}
	needsDisplay = regexp.MustCompile(`(?i)\bdisplay\b|tkagg|qt.*backend|interactive framework|headless`)
)

// Baseline says whether a script may serve: it must run to its end under two seeds.
// What it prints and makes may differ: an error is what the changed script's runs
// agree on. large are the files beside it that were left out for their size.
func Baseline(agrees bool, run *model.ScriptRun, large []string) verdict.Verdict {
	switch {
	case !agrees:
		return verdict.Reject(verdict.BaselineDiffers, "Two runs of the script with different seeds end in different ways.")
	case run.Status == model.RunTimeout:
		return verdict.Reject(verdict.BaselineTimesOut, "The script takes too long.")
	case run.Status == model.RunUnparsed:
		return verdict.Reject(verdict.NotAScript, "The interpreter does not compile the file.")
	case run.Status == model.RunRaised:
		return failedBaseline(run.Exception, large)
	case run.Status == model.RunExit && run.Exit == 2:
		return verdict.Reject(verdict.NeedsArguments, "The script ends as one does whose arguments are missing.")
	case run.Untraced:
		return verdict.Reject(verdict.BaselineFails, "The script switches tracing off.")
	case run.Status == model.RunOK, run.Status == model.RunExit && run.Exit == 0:
		return verdict.Pass()
	}
	return verdict.Reject(verdict.BaselineFails, "The script does not run to its end.",
		verdict.Evidence{What: "status", Found: string(run.Status)})
}

func failedBaseline(e *model.ScriptException, large []string) verdict.Verdict {
	found := verdict.Evidence{What: "exception", Found: e.Type}
	file := path.Base(e.Filename)
	switch {
	case needsDisplay.MatchString(e.Message) &&
		(e.Type == "ImportError" || e.Type == "TclError" || e.Type == "RuntimeError"):
		return verdict.Reject(verdict.BaselineNeedsDisplay, "The script needs a display.", found)
	case needsLibrary.MatchString(e.Message) && e.Type != "FileNotFoundError" || e.Type == "FileNotFoundError" &&
		programs[file]:
		return verdict.Reject(verdict.LibraryMissing, "A library or a program outside of Python is not installed.", found)
	case e.Type == "ModuleNotFoundError", e.Type == "ImportError" && needsModule.MatchString(e.Message):
		return verdict.Reject(verdict.ModuleMissing, "A module is not installed.", found)
	case e.Environment && slices.ContainsFunc(large, func(p string) bool { return path.Base(p) == file }):
		return verdict.Reject(verdict.DataTooLarge, "A file that the script reads is larger than max_data_mb.",
			verdict.Evidence{What: "file", Found: file})
	case needsNetwork.MatchString(e.Type) || needsNetwork.MatchString(e.Message):
		return verdict.Reject(verdict.BaselineNeedsNetwork, "The script needs the network.", found)
	case slices.Contains([]string{"FileNotFoundError", "IsADirectoryError", "NotADirectoryError"}, e.Type):
		return verdict.Reject(verdict.DataMissing, "A file that the script reads is not there.", found)
	case e.Type == "EOFError":
		return verdict.Reject(verdict.NeedsArguments, "The script asks for input.", found)
	}
	return verdict.Reject(verdict.BaselineFails, "The script itself raises.", found)
}
