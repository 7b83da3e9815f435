package snapshot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/klauspost/compress/zstd"
)

// Reader reads a repository's file once, from beginning to end. It holds the commits and trees, and a buffer for one
// file at a time.
type Reader struct {
	header Header
	graph  *graph
	spans  map[string]span // by task id, of the records that have a snapshot
	order  layout
	sizes  map[plumbing.Hash]int64 // of the files read so far
	left   int64                   // bytes that may still be unpacked

	unpacked *zstd.Decoder
	in       *bufio.Reader
	next     *objectHeader // was read but belongs to the next object
}

// NewReader reads and checks the header, the commits and the trees; Files reads the rest. Close the reader. The error
// is ErrDamaged if Plan.Write did not write the file.
func NewReader(r io.Reader, l Limits) (*Reader, error) {
	z, err := newDecoder(r)
	if err != nil {
		return nil, err
	}
	out := &Reader{graph: newGraph(l), spans: map[string]span{}, sizes: map[plumbing.Hash]int64{}, left: l.MaxBytes,
		unpacked: z, in: bufio.NewReaderSize(z, 1<<16)}
	if err := out.begin(); err != nil {
		z.Close()
		return nil, err
	}
	return out, nil
}

// Close releases what the reader holds.
func (r *Reader) Close() { r.unpacked.Close() }

func (r *Reader) begin() error {
	line, err := readLine(r.in)
	if err == nil {
		r.header, err = parseHeader(line)
	}
	if err == nil {
		err = r.header.check()
	}
	if err != nil {
		return err
	}
	commits, err := r.readHeld(kindCommit)
	if err != nil {
		return err
	}
	trees, err := r.readHeld(kindTree)
	if err != nil {
		return err
	}
	var wanted []plumbing.Hash
	for _, record := range r.header.Records {
		if record.Problem != "" {
			continue
		}
		s, err := r.graph.sound(record)
		if err != nil {
			return err
		}
		r.spans[record.TaskID] = s
		wanted = append(wanted, s.all()...)
	}
	r.order = r.graph.layout(sortedIDs(wanted))
	if !slices.Equal(commits, r.order.commits) || !slices.Equal(trees, r.order.trees) {
		return fmt.Errorf("%w: it has other commits or trees than its records need, or has them in another order", ErrDamaged)
	}
	return nil
}

// check rejects records that are not in the canonical form.
func (h Header) check() error {
	for i, r := range h.Records {
		switch {
		case i > 0 && h.Records[i-1].TaskID >= r.TaskID:
			return fmt.Errorf("%w: record %s comes twice, or not in order", ErrDamaged, r.TaskID)
		case r.Problem != "" && (len(r.Shallow) > 0 || !slices.Contains(Problems(), r.Problem)):
			return fmt.Errorf("%w: record %s has the problem %q", ErrDamaged, r.TaskID, r.Problem)
		case !plumbing.IsHash(r.Head) || !plumbing.IsHash(r.Base):
			return fmt.Errorf("%w: record %s names no commit", ErrDamaged, r.TaskID)
		}
		for k, id := range r.Shallow {
			if !plumbing.IsHash(id) || id != strings.ToLower(id) || k > 0 && r.Shallow[k-1] >= id {
				return fmt.Errorf("%w: the ends of record %s are not in order", ErrDamaged, r.TaskID)
			}
		}
	}
	return nil
}

// sound is the span of a record whose objects must all be there.
func (g *graph) sound(record Record) (span, error) {
	s, problem, detail := g.span(record)
	if problem == "" && len(s.missing) > 0 {
		problem, detail = CommitAbsent, s.missing[0].String()
	}
	if problem == "" {
		problem, detail = g.check(s)
	}
	if problem != "" {
		return s, fmt.Errorf("%w: record %s: %s: %s", ErrDamaged, record.TaskID, problem, detail)
	}
	return s, nil
}

// readLine reads the first line, with its end.
func readLine(in *bufio.Reader) ([]byte, error) {
	var text []byte
	for {
		part, err := in.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case err == nil:
			return text, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, fmt.Errorf("%w: header: %w", ErrDamaged, unexpected(err))
		case len(text) > maxHeader:
			return nil, fmt.Errorf("%w: a header of more than %d bytes", ErrDamaged, maxHeader)
		}
	}
}

// unexpected is io.ErrUnexpectedEOF for io.EOF.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// objectHeader is the header of an object.
type objectHeader struct {
	kind string
	size int64
}

// peek reads the next object's header; nil at the end of the file.
func (r *Reader) peek() (*objectHeader, error) {
	if r.next != nil {
		return r.next, nil
	}
	var text []byte
	for {
		b, err := r.in.ReadByte()
		switch {
		case errors.Is(err, io.EOF) && len(text) == 0:
			return nil, nil
		case err != nil:
			return nil, fmt.Errorf("%w: %w", ErrDamaged, unexpected(err))
		case b == 0:
			r.next, err = parseObjectHeader(string(text))
			return r.next, err
		case len(text) > 32:
			return nil, fmt.Errorf("%w: no object begins with %q", ErrDamaged, text)
		}
		text = append(text, b)
	}
}

func parseObjectHeader(text string) (*objectHeader, error) {
	kind, digits, _ := strings.Cut(text, " ")
	size, _ := strconv.ParseInt(digits, 10, 64) // what is no number is written otherwise
	if _, known := kinds[kind]; !known || size < 0 || strconv.FormatInt(size, 10) != digits {
		return nil, fmt.Errorf("%w: no object begins with %q", ErrDamaged, text)
	}
	return &objectHeader{kind, size}, nil
}

// take counts the next object's bytes against the limits.
func (r *Reader) take() error {
	size := r.next.size
	if size > r.graph.limits.MaxObject || size > r.left {
		return fmt.Errorf("%w: an object of %d bytes is too large, or the file is", ErrDamaged, size)
	}
	r.left -= size
	r.next = nil
	return nil
}

// readHeld reads the commits or the trees into the graph and gives their order.
func (r *Reader) readHeld(kind string) ([]plumbing.Hash, error) {
	var order []plumbing.Hash
	held := r.graph.limits.MaxHeld
	for {
		h, err := r.peek()
		if err != nil || h == nil || h.kind != kind {
			return order, err
		}
		if held -= h.size; held < 0 {
			return nil, fmt.Errorf("%w: more than %d bytes of commits or trees", ErrDamaged, r.graph.limits.MaxHeld)
		}
		if err := r.take(); err != nil {
			return nil, err
		}
		var raw strings.Builder // grows with the data, whatever the size says
		if n, err := io.CopyN(&raw, r.in, h.size); err != nil {
			return nil, fmt.Errorf("%w: %d of %d bytes: %w", ErrDamaged, n, h.size, unexpected(err))
		}
		id, err := r.graph.add(kind, []byte(raw.String()))
		if err != nil {
			return nil, err
		}
		order = append(order, id)
	}
}

// Files passes the files, in their order, to a function, which may read as much of each as it likes. The id of a file
// is verified only after it was read to io.EOF or the function returned: use the results only if Files returns nil.
func (r *Reader) Files(ctx context.Context, each func(id string, size int64, body io.Reader) error) error {
	for _, id := range r.order.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		h, err := r.peek()
		if err != nil {
			return err
		}
		if h == nil || h.kind != kindFile {
			return fmt.Errorf("%w: file %s is missing", ErrDamaged, id)
		}
		if err := r.take(); err != nil {
			return err
		}
		r.sizes[id] = h.size
		body := &checkedBody{left: h.size, in: r.in, hash: newHasher(kindFile, h.size), want: id}
		if err := each(id.String(), h.size, body); err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, body); err != nil {
			return err
		}
	}
	h, err := r.peek()
	if err == nil && h != nil {
		err = fmt.Errorf("%w: it goes on after the last file", ErrDamaged)
	}
	return err
}

// checkedBody reads an object and checks its id at its end.
type checkedBody struct {
	in   io.Reader
	left int64
	hash plumbing.Hasher
	want plumbing.Hash
	done error // what comes after the last byte; nil before
}

func (b *checkedBody) Read(p []byte) (int, error) {
	if b.left == 0 {
		if b.done == nil {
			b.done = io.EOF
			if b.hash.Sum() != b.want {
				b.done = fmt.Errorf("%w: in place of %s there is another file", ErrDamaged, b.want)
			}
		}
		return 0, b.done
	}
	n, err := b.in.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	b.hash.Write(p[:n])
	if err != nil {
		return n, fmt.Errorf("%w: file %s: %w", ErrDamaged, b.want, unexpected(err))
	}
	return n, nil
}
