package debugging

import "strings"

// singleRecord is a line of the published single-error file; its fields are
// those of bench_final_annotation_single_error.jsonl.
type singleRecord struct {
	ID            int            `json:"id"`
	Question      string         `json:"question"`
	ErrorVersions []errorVersion `json:"error_versions"`
}

// errorVersion is one error of a published single record.
type errorVersion struct {
	ModifiedCode    string `json:"modified_code"`
	ExecutionOutput string `json:"execution_output"`
	EffectErrorLine string `json:"effect_error_line"`
	CauseErrorLine  string `json:"cause_error_line"`
	OriginalLine    string `json:"original_line"`
	ModifiedLine    string `json:"modified_line"`
}

// multiRecord is a line of the published file of several errors.
type multiRecord struct {
	ID               int      `json:"id"`
	Question         string   `json:"question"`
	ModifiedCode     string   `json:"modified_code"`
	ErrorCount       int      `json:"error_count"`
	ExecutionOutputs []string `json:"execution_outputs"`
	EffectErrorLines []string `json:"effect_error_lines"`
	CauseErrorLines  []string `json:"cause_error_lines"`
	OriginalSampleID int      `json:"original_sample_id"`
}

// export gives the samples in the published fields. Scripts are numbered from 1 and samples with several errors from
// 0, as the published ones are. A message is one line: the published scorer reads only the last line but one.
func export(tasks []Task) (single []singleRecord, multi []multiRecord) {
	ids := map[string]int{}
	for _, t := range tasks {
		s := t.Sample
		if _, known := ids[s.ScriptID]; !known {
			ids[s.ScriptID] = len(ids) + 1
			single = append(single, singleRecord{ID: ids[s.ScriptID], Question: s.Task, ErrorVersions: []errorVersion{}})
		}
		if s.Kind == Single {
			r := &single[ids[s.ScriptID]-1]
			r.ErrorVersions = append(r.ErrorVersions, version(t))
			continue
		}
		r := multiRecord{ID: len(multi), Question: s.Task, ModifiedCode: s.Code, ErrorCount: s.ErrorCount,
			OriginalSampleID: ids[s.ScriptID]}
		for _, e := range s.Errors {
			r.ExecutionOutputs = append(r.ExecutionOutputs, output(e))
			r.EffectErrorLines = append(r.EffectErrorLines, e.EffectText)
			r.CauseErrorLines = append(r.CauseErrorLines, e.CauseText)
		}
		multi = append(multi, r)
	}
	return single, multi
}

func version(t Task) errorVersion {
	e := t.Sample.Errors[0]
	line := 0
	if edits := t.Evidence.Changes[0].Edits; len(edits) > 0 {
		line = edits[0].Line
	}
	return errorVersion{
		ModifiedCode: t.Sample.Code, ExecutionOutput: output(e), EffectErrorLine: e.EffectText, CauseErrorLine: e.CauseText,
		OriginalLine: lineText(t.Evidence.OriginalCode, line), ModifiedLine: lineText(t.Sample.Code, line),
	}
}

// output is the part of a traceback that the published scorer reads: the mark, and the exception on the last line but
// one.
func output(e Error) string {
	name := e.ErrorType
	if e.ErrorModule != "" && e.ErrorModule != "builtins" && e.ErrorModule != "__main__" {
		name = e.ErrorModule + "." + name
	}
	last := name
	if message := strings.Join(strings.Fields(e.ErrorMessage), " "); message != "" {
		last += ": " + message
	}
	return "Traceback (most recent call last):\n    " + e.EffectText + "\n" + last + "\n"
}

// lineText is a line of a text, without white space around it; "" where there
// is none.
func lineText(text string, line int) string {
	lines := strings.Split(text, "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[line-1])
}
