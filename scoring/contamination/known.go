// Package contamination says which pull requests a model may have been tested
// or trained on: instances of known benchmarks, texts that are close to one,
// and changes that occur twice in the same dataset.
package contamination

import (
	_ "embed" // the list of instances
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/prforge/prforge/internal/model"
)

//go:embed known.txt
var knownText string

// Source is where a list of instances comes from.
type Source struct {
	Name  string // the benchmark
	Part  string // what part of it is listed
	URL   string // where the list was read, with the commit
	Date  string // of that commit
	Count int    // instances listed
}

// Instances are the pull requests that are instances of known benchmarks.
type Instances struct {
	Sources []Source
	names   map[string][]string // "owner/name#1" in lower case -> names of its sources
}

// Known is the list that prforge ships. The SWE-PRBench split is not in it:
// that is the benchmark that prforge rebuilds.
func Known() (*Instances, error) { return parseInstances(knownText) }

// parseInstances reads a list: sections that begin with "[benchmark]" and the lines "part:", "source:", "date:" and
// "count:", then a repository and its pull request numbers a line. Lines that begin with # are comments. A section
// whose count differs from its instances is an error: the list was cut or edited.
func parseInstances(text string) (*Instances, error) {
	in := &Instances{}
	var counted []int
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		key, value, isField := strings.Cut(line, ": ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			in.Sources = append(in.Sources, Source{Name: strings.Trim(line, "[]")})
			counted = append(counted, 0)
		case len(in.Sources) == 0:
			return nil, fmt.Errorf("known instances, line %d: %.40q is before any [benchmark]", n, line)
		case isField:
			if err := in.Sources[len(in.Sources)-1].set(key, value); err != nil {
				return nil, fmt.Errorf("known instances, line %d: %w", n, err)
			}
		default:
			added, err := in.add(in.Sources[len(in.Sources)-1].Name, strings.Fields(line))
			if err != nil {
				return nil, fmt.Errorf("known instances, line %d: %w", n, err)
			}
			counted[len(counted)-1] += added
		}
	}
	for i, s := range in.Sources {
		if s.Count != counted[i] {
			return nil, fmt.Errorf("known instances, [%s]: %d instances, count says %d", s.Name, counted[i], s.Count)
		}
	}
	return in, nil
}

func (s *Source) set(key, value string) error {
	switch key {
	case "part":
		s.Part = value
	case "source":
		s.URL = value
	case "date":
		s.Date = value
	case "count":
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("count %q is not a number", value)
		}
		s.Count = n
	default:
		return fmt.Errorf("unknown field %q", key)
	}
	return nil
}

// add takes a line of a repository and numbers, and returns how many.
func (in *Instances) add(source string, fields []string) (int, error) {
	if in.names == nil {
		in.names = make(map[string][]string)
	}
	repo, err := model.ParseRepoRef(fields[0])
	if err != nil {
		return 0, err
	}
	for _, f := range fields[1:] {
		number, err := strconv.Atoi(f)
		if err != nil || number < 1 {
			return 0, fmt.Errorf("%s: %q is no pull request number", repo, f)
		}
		key := instanceKey(model.PullRef{Repo: repo, Number: number})
		if !slices.Contains(in.names[key], source) {
			in.names[key] = append(in.names[key], source)
		}
	}
	return len(fields) - 1, nil
}

// AddList adds a list of one's own. A line is "OWNER/NAME#NUMBER", a pull request's address on GitHub, or a
// repository and numbers; one that begins with # is a comment. It returns the list in its shortest form, a line a
// repository, both in order. The error names the line but not its text, because the file may be any.
func (in *Instances) AddList(name string, lines []string) ([]string, error) {
	numbers := map[string][]int{}
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		line = strings.TrimPrefix(line, "https://github.com/")
		fields := strings.Fields(strings.NewReplacer("/pull/", " ", "#", " ").Replace(line))
		if _, err := in.add(name, fields); err != nil || len(fields) < 2 {
			return nil, fmt.Errorf("line %d: want OWNER/NAME#NUMBER", i+1)
		}
		for _, f := range fields[1:] {
			n, _ := strconv.Atoi(f) // add has read it
			repo := strings.ToLower(fields[0])
			numbers[repo] = append(numbers[repo], n)
		}
	}
	out := make([]string, 0, len(numbers))
	for _, repo := range slices.Sorted(maps.Keys(numbers)) {
		slices.Sort(numbers[repo])
		text := fmt.Sprint(slices.Compact(numbers[repo]))
		out = append(out, repo+" "+strings.Trim(text, "[]"))
	}
	return out, nil
}

// of names the benchmarks that a pull request is an instance of, in the order of the list; none if it is not.
// Repository names ignore case.
func (in *Instances) of(p model.PullRef) []string { return in.names[instanceKey(p)] }

// Len is the number of distinct pull requests in the list.
func (in *Instances) Len() int { return len(in.names) }

func instanceKey(p model.PullRef) string { return strings.ToLower(p.String()) }
