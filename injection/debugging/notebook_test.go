package debugging

import (
	"strings"
	"testing"
)

func TestNotebookBecomesAScript(t *testing.T) {
	const head = `{"nbformat": 4, "metadata": {"kernelspec": {"language": "python"}}, "cells": [`
	for name, tc := range map[string]struct{ in, code, about string }{
		"cells": {head + `{"cell_type": "markdown", "source": ["# Sales\n", "of a year"]}, {"cell_type": "code", "source": ["import math\n", "a = 1\n"]},
			{"cell_type": "raw", "source": "x"}, {"cell_type": "code", "source": ""}, {"cell_type": "markdown", "source": "later"}, {"cell_type": "code", "source": "print(a)\r\nprint(2)"}]}`,
			"import math\na = 1\n\nprint(a)\nprint(2)\n", "# Sales\nof a year"},
		"magics": {head + `{"cell_type": "code", "source": "%matplotlib inline\nif True:\n    !ls\nx = 1"}, {"cell_type": "code", "source": "%%time\ny = 2"}]}`,
			"# %matplotlib inline\nif True:\n#     !ls\nx = 1\n\n# %%time\n# y = 2\n", ""},
		"percent inside a text": {head + `{"cell_type": "code", "source": "s = '''\n%d\n'''\nprint(s)"}]}`, "s = '''\n%d\n'''\nprint(s)\n", ""},
		"empty":                 {head + `]}`, "", ""},
	} {
		code, about, err := Notebook([]byte(tc.in))
		if err != nil || string(code) != tc.code || about != tc.about {
			t.Errorf("%s: %q, about %q, error %v", name, code, about, err)
		}
	}
	for name, in := range map[string]string{
		"no JSON":        "print(1)",
		"other language": `{"nbformat": 4, "metadata": {"kernelspec": {"language": "R"}}, "cells": []}`,
		"old format":     `{"nbformat": 3, "metadata": {"language_info": {"name": "python"}}, "worksheets": []}`,
		"wrong source":   strings.Replace(head, "[", `[{"cell_type": "code", "source": 3}]}`, 1),
		"JSON of Python": `{"a": [1, 2]}`,
	} {
		if _, _, err := Notebook([]byte(in)); err == nil {
			t.Errorf("%s is a notebook", name)
		}
	}
}
