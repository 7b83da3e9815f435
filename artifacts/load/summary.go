package load

import "github.com/prforge/prforge/internal/verdict"

// Summary has the figures of any dataset with a funnel.
type Summary struct {
	Name       string         `json:"name"`
	FreezeDate string         `json:"freeze_date"`
	Records    int            `json:"records"`
	Funnel     verdict.Funnel `json:"funnel"`
}

// Summarize reads the figures of a dataset.
func Summarize(r *Reader) (*Summary, error) {
	funnel, err := r.Funnel()
	if err != nil {
		return nil, err
	}
	return &Summary{r.Manifest.Name, r.Manifest.FreezeDate, r.Manifest.Records, *funnel}, nil
}
