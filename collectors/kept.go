package collectors

// collectAll collects items together. A run that makes do with what is kept then takes them one by one, so that what
// one of them lacks leaves out no other. Errors that concern items are noted; an error that ends the run is returned.
func collectAll[T any](r *Repository, items []T, key func(T) string, collect func([]T) error) error {
	keys := make([]string, len(items))
	for i, item := range items {
		keys[i] = key(item)
	}
	err := collect(items)
	if !r.c.lacks(err) {
		return r.tolerate(err, keys)
	}
	for i := range items {
		err := collect(items[i : i+1])
		if r.c.lacks(err) {
			err = ErrNotCollected
		}
		if err := r.tolerate(err, keys[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}
