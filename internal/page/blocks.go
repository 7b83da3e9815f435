package page

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/klauspost/compress/gzip"
)

// folder is where the blocks of a page lie that has files.
const folder = "data/"

// Writer writes the blocks of a page, which are read when they are looked at.
type Writer struct {
	w      *bufio.Writer
	create func(path string) (io.WriteCloser, error)
	tail   string
}

// Block writes a value as one compressed block. The name has only letters, digits and hyphens, and never comes from
// strangers.
func (w *Writer) Block(name string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return w.packed(name, b)
}

func (w *Writer) packed(name string, content []byte) error {
	if w.create == nil {
		fmt.Fprintf(w.w, "<script type=\"application/gzip\" id=\"%s\">", name)
		if err := pack(w.w, content); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		_, err := w.w.WriteString("</script>\n")
		return err
	}
	f, err := w.create(folder + name + ".js")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	fmt.Fprintf(out, "block(%q, \"", name)
	err = pack(out, content)
	if err == nil {
		_, _ = out.WriteString("\");\n") // Flush has its error
		err = out.Flush()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// level of compression: the best takes twice the time for 2 %.
const level = 8

// pack writes bytes compressed and in base64.
func pack(w io.Writer, content []byte) error {
	text := base64.NewEncoder(base64.StdEncoding, w)
	z, err := gzip.NewWriterLevel(text, level)
	if err != nil {
		return err
	}
	if _, err := z.Write(content); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return text.Close()
}

// Close ends the page.
func (w *Writer) Close() error {
	_, _ = w.w.WriteString(w.tail) // Flush has its error
	return w.w.Flush()
}

// Chunks gathers values, each with a number, into blocks: few enough to find
// much that is alike in each, small enough to be read for the sake of one value.
type Chunks struct {
	w       *Writer
	name    string
	written int // blocks
	now     bytes.Buffer
}

// chunkSize is about how many bytes of JSON a block of Chunks holds.
const chunkSize = 512 << 10

// Chunks begins blocks NAME-1, NAME-2, ...
func (w *Writer) Chunks(name string) *Chunks { return &Chunks{w: w, name: name} }

// Add adds a value under a number that no other value of the chunks has, and
// returns the number of its block, from 1.
func (c *Chunks) Add(key int, v any) (int, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return 0, fmt.Errorf("%s %d: %w", c.name, key, err)
	}
	return c.put(strconv.Itoa(key), b)
}

// put adds JSON under any key.
func (c *Chunks) put(key string, value []byte) (int, error) {
	if c.now.Len() > 0 && c.now.Len()+len(value) > chunkSize {
		if err := c.Flush(); err != nil {
			return 0, err
		}
	}
	if c.now.Len() > 0 {
		c.now.WriteByte(',')
	}
	name, err := json.Marshal(key)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", c.name, err)
	}
	c.now.Write(name)
	c.now.WriteByte(':')
	c.now.Write(value)
	return c.written + 1, nil
}

// Flush writes what was added and not yet written.
func (c *Chunks) Flush() error {
	if c.now.Len() == 0 {
		return nil
	}
	c.written++
	content := append(append([]byte{'{'}, c.now.Bytes()...), '}')
	c.now.Reset()
	return c.w.packed(c.name+"-"+strconv.Itoa(c.written), content)
}
