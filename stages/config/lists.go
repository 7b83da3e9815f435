package config

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/prforge/prforge/scoring/contamination"
)

// UnmarshalYAML reads the name of a file, which finish reads, or a list written out.
func (l *InstanceList) UnmarshalYAML(unmarshal func(any) error) error {
	if err := unmarshal(&l.file); err == nil {
		return nil
	}
	type plainList InstanceList
	if err := unmarshal((*plainList)(l)); err != nil {
		return errors.New("write the name of a file with OWNER/NAME#NUMBER a line")
	}
	return nil
}

// readLists reads the files that contamination.lists names, and checks every list.
func (c *Config) readLists() *fault {
	known := &contamination.Instances{}
	for i := range c.Contamination.Lists {
		l := &c.Contamination.Lists[i]
		path := l.Name
		if l.file != "" {
			if c.Frozen {
				return &fault{"contamination.lists", "the configuration of a dataset names no file"}
			}
			path = l.file
			if !filepath.IsAbs(path) {
				path = filepath.Join(c.Dir, path)
			}
			data, err := readText(path)
			if err != nil {
				return &fault{"contamination.lists", fmt.Sprintf("%s: %s", path, plain(err))}
			}
			base := filepath.Base(path)
			l.Name, l.Pulls = strings.TrimSuffix(base, filepath.Ext(base)), strings.Split(string(bytes.TrimSpace(data)), "\n")
		}
		if l.Name == "" {
			return &fault{"contamination.lists", "a list needs a name"}
		}
		pulls, err := known.AddList(l.Name, l.Pulls)
		if err != nil {
			return &fault{"contamination.lists", fmt.Sprintf("%s: %s", path, err)}
		}
		l.Pulls = pulls
	}
	return nil
}
