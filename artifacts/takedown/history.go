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

// reactions removes the accounts that are taken down; the count stays.
func (l *List) reactions(in []model.Reaction) []model.Reaction {
	var out []model.Reaction
	for _, r := range in {
		by := []model.Account{}
		for _, a := range r.By {
			if !l.Account(a.Login) {
				by = append(by, a)
			}
		}
		r.By = by
		out = append(out, r)
	}
	return out
}

// reactions gives the accounts their pseudonyms.
func (p *Pseudonyms) reactions(in []model.Reaction) []model.Reaction {
	var out []model.Reaction
	for _, r := range in {
		by := []model.Account{}
		for _, a := range r.By {
			by = append(by, p.account(a))
		}
		r.By = by
		out = append(out, r)
	}
	return out
}
