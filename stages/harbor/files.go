package harbor

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// taskToml is a task of schema 1.3.
const taskToml = `schema_version = "1.3"
artifacts = ["/work/out/findings.json"]

[task]
name = %s
description = %s
keywords = ["code-review", "prforge"]

[metadata]
task_id = %s
base = %s
head = %s

[environment]
workdir = "/work/repo"
build_timeout_sec = 600
cpus = 2
memory_mb = 4096
storage_mb = 10240

[agent]
timeout_sec = 900
%s

[verifier]
environment_mode = "separate"
timeout_sec = 120
network_mode = "no-network"

[verifier.environment]
workdir = "/tests"
build_timeout_sec = 600
network_mode = "no-network"
cpus = 1
memory_mb = 1024
storage_mb = 2048
`

// dockerfile is that of the image in which an agent works. It runs nothing, so that
// nothing can ask a network.
const dockerfile = `FROM %s
ADD work.tar.gz /work/
WORKDIR /work/repo
ENV GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=/work/repo
ENV RB_NWO=%s RB_PR_NUMBER=%d RB_BASE=%s RB_HEAD=%s RB_AGENT=harbor RB_ATTEMPT=1
ENV RB_DIFF=/work/pr/diff.patch RB_PR_JSON=/work/pr/pr.json RB_OUT=/work/out/findings.json
`

// archive packs a folder: in the order of paths, of no user. Times are those of files of
// the checkout, which git's index names; other files have none.
func archive(w io.Writer, dir string) error {
	zipped := gzip.NewWriter(w)
	out := tar.NewWriter(zipped)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		return add(out, dir, path, e)
	})
	return errors.Join(err, out.Close(), zipped.Close())
}

func add(out *tar.Writer, dir, path string, e fs.DirEntry) error {
	info, err := e.Info()
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return err
	}
	h := &tar.Header{Name: filepath.ToSlash(rel), Mode: int64(info.Mode().Perm()), Format: tar.FormatPAX}
	switch {
	case e.IsDir():
		h.Typeflag, h.Name = tar.TypeDir, h.Name+"/"
	case e.Type() == fs.ModeSymlink:
		h.Typeflag = tar.TypeSymlink
		h.Linkname, err = os.Readlink(path)
	default:
		h.Typeflag, h.Size = tar.TypeReg, info.Size()
	}
	if strings.HasPrefix(h.Name, "repo/") && !strings.HasPrefix(h.Name, "repo/.git/") && !e.IsDir() {
		h.ModTime = info.ModTime()
	}
	if err := errors.Join(err, out.WriteHeader(h)); err != nil || h.Typeflag != tar.TypeReg {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(out, f)
	return err
}
