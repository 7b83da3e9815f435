package sarif

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/evaluation"
)

func TestRead(t *testing.T) {
	log := `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"t","rules":[
		{"id":"R0"},{"id":"R1","messageStrings":{"default":{"text":"{0} is never closed in {1}; {2}"}}}]}},"results":[
		{"ruleId":"R9","message":{"text":"plain","markdown":"**bold**"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"./src/a%20b.go","uriBaseId":"%SRCROOT%"},"region":{"startLine":12,"endLine":14}}}]},
		{"ruleId":"R1","ruleIndex":1,"message":{"id":"default","arguments":["f","main"]},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"file:///src/c.go"},"region":{"charOffset":3}}}]},
		{"ruleId":"R1","message":{"id":"default","arguments":["g","x","y"]}},
		{"message":{"text":"hidden"},"suppressions":[{"kind":"inSource"}]},
		{"message":{"text":"fine"},"kind":"pass"}]},{"tool":{"driver":{"name":"none"}},"results":null}]}`
	got, err := Read([]byte(log))
	twelve := 12
	want := []evaluation.Comment{{Body: "**bold**", File: "src/a b.go", Line: &twelve}, {Body: "f is never closed in main; {2}", File: "src/c.go"}, {Body: "g is never closed in x; y"}}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Error(err, d)
	}
	for _, bad := range []string{"", "[]", `{"version":"1.0"}`, `{"version":"2.1.0","runs":5}`} {
		if _, err := Read([]byte(bad)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"version":"2.1.0","runs":[{"results":[{"ruleIndex":-1,"message":{"id":"x"},"locations":[{}]}]}]}`))
	f.Fuzz(func(_ *testing.T, data []byte) { _, _ = Read(data) })
}
