package debugging

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/prforge/prforge/internal/text"
)

// errNotebook says that a file is no notebook of Python in the format of Jupyter
// 4 or newer.
var errNotebook = errors.New("not a notebook of Python")

// notebook is what is read of a notebook file (nbformat 4).
type notebook struct {
	Format   int    `json:"nbformat"`
	Cells    []cell `json:"cells"`
	Metadata struct {
		Kernel struct {
			Language string `json:"language"`
		} `json:"kernelspec"`
		Language struct {
			Name string `json:"name"`
		} `json:"language_info"`
	} `json:"metadata"`
}

type cell struct {
	Type   string    `json:"cell_type"`
	Source cellLines `json:"source"`
}

// cellLines is a cell's text: the format has it as a text or as a list of lines.
type cellLines string

// UnmarshalJSON implements json.Unmarshaler.
func (c *cellLines) UnmarshalJSON(data []byte) error {
	var lines []string
	if err := json.Unmarshal(data, &lines); err == nil {
		*c = cellLines(strings.Join(lines, ""))
		return nil
	}
	return json.Unmarshal(data, (*string)(c))
}

// Notebook makes a script of a notebook's code cells, one after the other with
// an empty line between. Lines that are the notebook's and not Python's (magics
// and commands of a shell) become comments. about is the first text cell.
func Notebook(data []byte) (code []byte, about string, err error) {
	var n notebook
	if err := json.Unmarshal(data, &n); err != nil {
		return nil, "", fmt.Errorf("%w: %w", errNotebook, err)
	}
	language := strings.ToLower(n.Metadata.Language.Name + n.Metadata.Kernel.Language)
	if n.Format < 4 || !strings.Contains(language, "python") {
		return nil, "", errNotebook
	}
	var cells []string
	for _, c := range n.Cells {
		source := strings.TrimRight(text.Valid(strings.ReplaceAll(string(c.Source), "\r\n", "\n")), " \t\n")
		switch {
		case source == "":
		case c.Type == "code":
			cells = append(cells, plainPython(source)+"\n")
		case c.Type == "markdown" && about == "":
			about = source
		}
	}
	return []byte(strings.Join(cells, "\n")), about, nil
}

// plainPython turns the lines of a cell that are not Python into comments. A cell
// that parses has none.
func plainPython(source string) string {
	if _, err := Parse([]byte(source)); err == nil {
		return source
	}
	whole := strings.HasPrefix(source, "%%")
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		if start := strings.TrimLeft(line, " \t"); whole || strings.HasPrefix(start, "%") || strings.HasPrefix(start, "!") ||
			strings.HasPrefix(start, "?") {
			lines[i] = "# " + line
		}
	}
	return strings.Join(lines, "\n")
}
