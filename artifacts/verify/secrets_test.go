package verify_test

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/verify"
)

// rawFile is a file of raw records that holds one record.
func rawFile(t *testing.T, path, kind, content string) freeze.File {
	t.Helper()
	key, form, value := "1", "data", content
	if kind == "blob" {
		key, form = fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(content), content))), "text"
		quoted, err := json.Marshal(content)
		if err != nil {
			t.Fatal(err)
		}
		value = string(quoted)
	}
	return freeze.File{Path: path, Open: func() (io.ReadCloser, error) {
		var b bytes.Buffer
		w, err := zstd.NewWriter(&b)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(w, `{"schema":1,"kind":%q,"key":%q,"sha256":"%x",%q:%s}`+"\n", kind, key, sha256.Sum256([]byte(content)), form, value)
		return io.NopCloser(&b), w.Close()
	}}
}

// TestSecretInSource: sample keys in the repository's own files and diffs are noted, and what looks like a credential
// anywhere else in the same records is warned of as before.
func TestSecretInSource(t *testing.T) {
	token := "gh" + "p_" + strings.Repeat("aB3x", 9)
	pem := `-----BEGIN RSA PRIVATE ` + `KEY-----\n+` + strings.Repeat("MIIEpAIB", 6)
	for _, tc := range []struct {
		kind, content   string
		notes, warnings int
	}{
		{"blob", strings.ReplaceAll(pem, `\n`, "\n"), 1, 0},
		{"blob", "key = '" + token + "'\n", 1, 0},
		{"diff", `{"text":"+` + pem + `"}`, 1, 0},
		{"revisions", `[{"from":"a","text":"+` + pem + `"}]`, 1, 0},
		{"candidates", `{"since":[{"text":"+` + pem + `"}]}`, 1, 0},
		{"pull", `{"threads":[{"comments":[{"diff_hunk":"@@ -1 +1 @@\n+` + pem + `"}]}]}`, 1, 0},

		{"pull", `{"threads":[{"comments":[{"body":"` + pem + `"}]}]}`, 0, 1},
		{"pull", `{"body":"` + token + `","threads":[{"comments":[{"diff_hunk":"+` + pem + `"}]}]}`, 1, 1},
		{"diff", `{"text":"+` + pem + `","why":"GitHub refused ` + token + `"}`, 1, 1},
		{"diff", `{"text":"+` + token + `","why":"GitHub refused ` + token + `"}`, 0, 1},
		{"base", `{"problem":"git: https://x:` + token + `@github.com"}`, 0, 1},
		{"failure", `{"code":"not_found","detail":"` + token + `"}`, 0, 1},
		{"repository", `{"text":"` + token + `"}`, 0, 1},
		{"answer", `{"text":"` + token + `"}`, 0, 1},
		{"run", `{"diff_hunk":{"text":"` + token + `"}}`, 0, 1},
	} {
		d := artifactstest.Dataset(artifactstest.Tasks())
		d.Raw = freeze.Seq(rawFile(t, "raw/acme+widget.jsonl.zst", tc.kind, tc.content))
		r, err := verify.Dataset(t.Context(), frozen(t, d), options())
		if err != nil {
			t.Fatal(err)
		}
		notes, warnings := 0, 0
		for _, f := range r.Notes {
			if f.Kind == verify.SecretInSource {
				notes += f.Count
			}
		}
		for _, f := range r.Warnings {
			if f.Kind == verify.SecretFound {
				warnings += f.Count
			}
		}
		if notes != tc.notes || warnings != tc.warnings {
			t.Errorf("%s %s: notes %+v, warnings %+v", tc.kind, tc.content, r.Notes, r.Warnings)
		}
	}
}
