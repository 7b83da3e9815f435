package evaluate_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/prforge/prforge/stages/evaluate"
)

func TestLoadConfig_UnknownKey(t *testing.T) {
	for text, want := range map[string]string{
		"version: 1\nrepeat: 3\n":                    ":2: repeat: unknown key (did you mean repeats?)",
		"version: 1\nmodels: [{api_key_env: KEY}]\n": ":2: models.api_key_env: unknown key",
		"version: 1\njudge: {max_dif: 3}\n":          ":2: judge.max_dif: unknown key (did you mean judge.max_diff?)",
	} {
		path := filepath.Join(t.TempDir(), "eval.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := evaluate.LoadConfig(path); err == nil || err.Error() != path+want {
			t.Errorf("%s: %v, want %s%s", text, err, path, want)
		}
	}
}
