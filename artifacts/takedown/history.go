package takedown

import "github.com/prforge/prforge/internal/model"

// mapEdits returns a copy with rename applied to the texts.
func mapEdits(in []model.Edit, rename func(string) string) []model.Edit {
	var out []model.Edit
	for _, e := range in {
		e.Body = rename(e.Body)
		out = append(out, e)
	}
	return out
}

// mapRenames returns a copy with rename applied to the titles.
func mapRenames(in []model.Rename, rename func(string) string) []model.Rename {
	var out []model.Rename
	for _, r := range in {
		r.From, r.To = rename(r.From), rename(r.To)
		out = append(out, r)
	}
	return out
}
