package freeze

import (
	"bytes"
	_ "embed"
	"text/template"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/card"
)

//go:embed snapshots.md.tmpl
var snapshotsCard string

// Dataset is a folder of snapshots in the form for Freeze, beside the dataset of the given manifest and its SHA-256.
// It has that dataset's version, name and date.
func (s *Snapshots) Dataset(of artifacts.Manifest, sum string) (Dataset, error) {
	t, err := template.New("card").Funcs(template.FuncMap{"cell": card.Cell}).Parse(card.SnapshotTable + snapshotsCard)
	if err != nil {
		return Dataset{}, err
	}
	m := artifacts.Manifest{
		NotForPublication: of.NotForPublication,
		Benchmark:         artifacts.Snapshot, Name: of.Name, PipelineVersion: of.PipelineVersion, FreezeDate: of.FreezeDate,
		ConfigSHA256: of.ConfigSHA256,
		Records:      s.Records(), Snapshots: &artifacts.SnapshotsOf{Dataset: of.Name, Manifest: sum},
	}
	var text bytes.Buffer
	if err := t.Execute(&text, struct {
		Of artifacts.SnapshotsOf
		*Snapshots
	}{*m.Snapshots, s}); err != nil {
		return Dataset{}, err
	}
	return Dataset{Manifest: m, Files: Seq(FileOf(artifacts.FileCard, text.Bytes())), Snapshots: s}, nil
}
