package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/sourcegraph/conc/iter"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/schema"
)

// inParallel runs independent checks of items, Options.Workers at once. Each has its own checker, and their findings
// are merged in the order of the items, so that the report is the same for any number of workers. run may read all of
// its checker and must change only its tallies, validated, short and told.
func inParallel[T, R any](c *checker, items []T, run func(*checker, T) (R, error)) ([]R, error) {
	type outcome struct {
		own   *checker
		value R
		err   error
	}
	mapper := iter.Mapper[T, outcome]{MaxGoroutines: max(1, c.o.Workers)}
	outcomes := mapper.Map(items, func(item *T) outcome {
		own := *c
		own.Tally, own.warnings = NewTally(Kinds()), NewTally(Kinds())
		own.validated, own.short, own.told = nil, nil, nil
		value, err := run(&own, *item)
		return outcome{&own, value, err}
	})
	values := make([]R, len(items))
	for i, o := range outcomes {
		if o.err != nil {
			return nil, o.err
		}
		c.add(o.own.Tally)
		c.validated = append(c.validated, o.own.validated...)
		c.short = append(c.short, o.own.short...)
		c.told = append(c.told, o.own.told...)
		c.warnings.add(o.own.warnings)
		values[i] = o.value
	}
	return values, nil
}

// Records are decoded and checked in batches, bounded by number and by bytes.
const (
	batchRecords = 64
	batchBytes   = 8 << 20
)

// eachRecord runs checks of every record that matches its schema (see inParallel), and then note for each, in the
// order of the file.
func (c *checker) eachRecord(ctx context.Context, run func(*checker, *artifacts.Record) error,
	note func(*artifacts.Record)) error {
	type line struct {
		place string
		text  []byte
	}
	var batch []line
	size, whole := 0, int64(0)
	flush := func() error {
		records, err := inParallel(c, batch, func(c *checker, l line) (*artifacts.Record, error) {
			r := value[artifacts.Record](c, l.place, l.text, schema.Record, artifacts.CanonicalLine)
			if r == nil || ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return r, run(c, r)
		})
		for _, r := range records {
			if r != nil {
				note(r)
			}
		}
		batch, size = batch[:0], 0
		return err
	}
	for l, err := range load.RawLines(c.dir, artifacts.FileRecords) {
		if errors.Is(err, fs.ErrNotExist) {
			c.missing(artifacts.FileRecords)
			return nil
		}
		if err != nil {
			return errors.Join(flush(), err)
		}
		batch = append(batch, line{fmt.Sprintf("%s:%d", artifacts.FileRecords, l.Number), append(bytes.Clone(l.Text), '\n')})
		whole += int64(len(l.Text)) + 1
		if size += len(l.Text); len(batch) == batchRecords || size >= batchBytes {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	c.lineEnds(artifacts.FileRecords, whole)
	return flush()
}
