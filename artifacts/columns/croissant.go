package columns

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/card"
)

// croissantContext is the JSON-LD context that the format's appendix 1 recommends.
//
//go:embed context.json
var croissantContext []byte

// Croissant is croissant.json: the Croissant 1.0 description of the dataset in
// JSON-LD. Names with "@" and the prefixes are those of the format.
type Croissant struct {
	Context      json.RawMessage  `json:"@context"`
	Type         string           `json:"@type"`
	Name         string           `json:"name"`
	ConformsTo   string           `json:"conformsTo"`
	Description  string           `json:"description"`
	License      string           `json:"license"`
	URL          string           `json:"url"`
	Version      string           `json:"version"`
	Published    string           `json:"datePublished"`
	CiteAs       string           `json:"citeAs"`
	Creator      croissantCreator `json:"creator"`
	Keywords     []string         `json:"keywords"`
	Distribution []CroissantFile  `json:"distribution"`
	RecordSets   []CroissantSet   `json:"recordSet"`
}

type croissantCreator struct {
	Type    string            `json:"@type"`
	Name    string            `json:"name"`
	URL     string            `json:"url"`
	Contact *croissantContact `json:"contactPoint,omitempty"`
}

type croissantContact struct {
	Type  string `json:"@type"`
	Email string `json:"email,omitempty"`
	URL   string `json:"url,omitempty"`
}

// newContact returns nil without a name, an address if the name has an "@" and is not a URL, else a page.
func newContact(s string) *croissantContact {
	switch {
	case s == "":
		return nil
	case strings.Contains(s, "@") && !strings.Contains(s, "://"):
		return &croissantContact{Type: "sc:ContactPoint", Email: s}
	}
	return &croissantContact{Type: "sc:ContactPoint", URL: s}
}

// CroissantFile is a FileObject, with digest and path, or a FileSet, with a
// pattern of the files in it.
type CroissantFile struct {
	Type           string `json:"@type"` // cr:FileObject, cr:FileSet
	ID             string `json:"@id"`
	Name           string `json:"name"`
	Description    string `json:"description"`
	ContentURL     string `json:"contentUrl,omitempty"`
	ContentSize    string `json:"contentSize,omitempty"`
	EncodingFormat string `json:"encodingFormat"`
	SHA256         string `json:"sha256,omitempty"`
	Includes       string `json:"includes,omitempty"`
}

type croissantRef struct {
	ID string `json:"@id"`
}

// CroissantSet is a RecordSet: one table, with its fields.
type CroissantSet struct {
	Type        string           `json:"@type"`
	ID          string           `json:"@id"`
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Key         []croissantRef   `json:"key"`
	Fields      []CroissantField `json:"field"`
}

// CroissantField is one field and the source of its values.
type CroissantField struct {
	Type        string           `json:"@type"`
	ID          string           `json:"@id"`
	Name        string           `json:"name"`
	Description string           `json:"description"`
	DataType    string           `json:"dataType"`
	Repeated    bool             `json:"repeated,omitempty"`
	Source      *croissantSource `json:"source,omitempty"`
}

type croissantSource struct {
	FileObject *croissantRef    `json:"fileObject"`
	Extract    croissantExtract `json:"extract"`
}

type croissantExtract struct {
	Column string `json:"column"`
}

// The ids of the distribution.
const (
	idRecords         = "records-jsonl"
	idParquet         = "records-parquet"
	idAnnotationTable = "annotations-parquet"
	idContextTable    = "contexts-parquet"
	idSplitTable      = "splits-parquet"
	idAnnotations     = "annotation-files"
	idContexts        = "context-files"
	idEvidence        = "evidence-files"
)

const typeParquet = "application/vnd.apache.parquet"

// nobody is the creator where the configuration names none: Croissant wants one.
const nobody = "not named"

// NewCroissant describes the files of a dataset. files are those written so far, by path.
func NewCroissant(m artifacts.Manifest, c card.Card, files map[string]artifacts.FileInfo) Croissant {
	license := cmp.Or(c.License, artifacts.FileLicense)
	cite := cmp.Or(c.Citation, m.Name+", pipeline "+m.PipelineVersion+", frozen as of "+m.FreezeDate)
	return Croissant{
		Context: croissantContext, Type: "sc:Dataset", Name: m.Name, ConformsTo: "http://mlcommons.org/croissant/1.0",
		Description: c.Description,
		License:     license, URL: c.Homepage, Version: m.PipelineVersion, Published: m.FreezeDate,
		CiteAs: cite,
		Creator: croissantCreator{Type: "sc:Organization", Name: cmp.Or(c.Creator, nobody), URL: c.Homepage,
			Contact: newContact(c.Contact)},
		Keywords: []string{"code review", "pull requests", "benchmark"},
		Distribution: []CroissantFile{
			fileObject(idRecords, artifacts.FileRecords, "application/jsonlines", "One record a pull request.", files),
			fileObject(idParquet, artifacts.FileParquet, typeParquet, "The same records in columns.", files),
			fileObject(idAnnotationTable, artifacts.FileAnnotationTable, typeParquet,
				"One row a ground-truth comment, with its evidence.", files),
			fileObject(idContextTable, artifacts.FileContextTable, typeParquet, "One row a pull request and configuration.",
				files),
			fileObject(idSplitTable, artifacts.FileSplitTable, typeParquet, "One row a task of a split.", files),
			fileSet(idAnnotations, "annotations/*_human.json", "The ground truth of each pull request."),
			fileSet(idContexts, "contexts/*/*.json", "The three frozen texts of each pull request."),
			fileSet(idEvidence, "evidence/*.json", "What stands behind each record."),
		},
		RecordSets: []CroissantSet{
			tableSet[recordRow]("records", "One record a pull request.", idParquet, "task_id"),
			tableSet[annotationRow]("annotations", "One row a ground-truth comment.", idAnnotationTable, "task_id",
				"comment_id"),
			tableSet[contextRow]("contexts", "The frozen texts of each pull request.", idContextTable, "task_id", "config"),
			tableSet[splitRow]("splits", "The lists of tasks to measure on.", idSplitTable, "task_id", "split"),
		},
	}
}

func fileObject(id, path, format, description string, files map[string]artifacts.FileInfo) CroissantFile {
	info := files[path]
	return CroissantFile{
		Type: "cr:FileObject", ID: id, Name: path, Description: description, ContentURL: path,
		ContentSize: strconv.FormatInt(info.Bytes, 10) + " B", EncodingFormat: format, SHA256: info.SHA256,
	}
}

func fileSet(id, includes, description string) CroissantFile {
	return CroissantFile{
		Type: "cr:FileSet", ID: id, Name: id, Description: description,
		EncodingFormat: "application/json", Includes: includes,
	}
}

// tableSet describes a table: its rows are of type T, whose tags have the columns' names and descriptions.
func tableSet[T any](name, description, file string, keys ...string) CroissantSet {
	s := CroissantSet{Type: "cr:RecordSet", ID: name, Name: name, Description: description}
	for _, k := range keys {
		s.Key = append(s.Key, croissantRef{name + "/" + k})
	}
	row := reflect.TypeFor[T]()
	for i := range row.NumField() {
		f := row.Field(i)
		column, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		s.Fields = append(s.Fields, CroissantField{
			Type: "cr:Field", ID: name + "/" + column, Name: column, Description: f.Tag.Get("doc"),
			DataType: dataType(f), Repeated: f.Type.Kind() == reflect.Slice,
			Source: &croissantSource{FileObject: &croissantRef{file}, Extract: croissantExtract{column}},
		})
	}
	return s
}

// dataType is the format's name for a column's type. A structure is described as text.
func dataType(f reflect.StructField) string {
	if t := f.Tag.Get("type"); t != "" {
		return t
	}
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "sc:DateTime"
	case t.Kind() == reflect.Int64:
		return "sc:Integer"
	case t.Kind() == reflect.Float64:
		return "sc:Float"
	case t.Kind() == reflect.Bool:
		return "sc:Boolean"
	}
	return "sc:Text"
}
