package snapshot

import (
	"context"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
)

// Write writes the file. It checks each object against its id.
func (p *Plan) Write(ctx context.Context, w io.Writer) error {
	z, err := newEncoder(w)
	if err == nil {
		err = p.write(ctx, z)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return fmt.Errorf("write the snapshots of %s: %w", p.Header.Repository, err)
	}
	return nil
}

func (p *Plan) write(ctx context.Context, w io.Writer) error {
	line, err := p.Header.line()
	if err != nil {
		return err
	}
	if _, err := w.Write(line); err != nil {
		return err
	}
	out := &objectWriter{onto: w, left: p.limits.MaxBytes}
	for _, part := range []struct {
		kind string
		ids  []plumbing.Hash
	}{{kindCommit, p.order.commits}, {kindTree, p.order.trees}, {kindFile, p.order.files}} {
		ids := make([]string, len(part.ids))
		for i, id := range part.ids {
			ids[i] = id.String()
		}
		out.kind = part.kind
		if err := p.source.Objects(ctx, ids, out.write); err != nil {
			return err
		}
	}
	return nil
}

// objectWriter writes objects of one kind after another.
type objectWriter struct {
	onto io.Writer
	kind string
	left int64 // bytes that may still be written
}

func (o *objectWriter) write(id, kind string, size int64, body io.Reader) error {
	if o.left -= size; o.left < 0 || kind != o.kind {
		return fmt.Errorf("object %s: a %s of %d bytes: too many bytes, or no %s", id, kind, size, o.kind)
	}
	if _, err := fmt.Fprintf(o.onto, "%s %d\x00", kind, size); err != nil {
		return err
	}
	h := newHasher(kind, size)
	if n, err := io.CopyN(io.MultiWriter(o.onto, h), body, size); err != nil {
		return fmt.Errorf("object %s: %d of %d bytes: %w", id, n, size, err)
	}
	if h.Sum().String() != id {
		return fmt.Errorf("object %s: %w: its bytes have another id", id, ErrDamaged)
	}
	return nil
}
