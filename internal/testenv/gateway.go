package testenv

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/prforge/prforge/internal/child"
)

// Gateway starts an S3 server that others wrote, VersityGW of the version that .ci/run
// installs, as a process of its own until the test ends. It has the bucket "bench", whose
// objects are the files of the folder; access key "id", secret key "secretsecret", region
// "us-east-1".
func Gateway(t testing.TB) (folder, endpoint string) {
	t.Helper()
	program := Tool(t, "versitygw")
	dir := t.TempDir()
	folder = filepath.Join(dir, "bench")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := l.Addr().String()
	l.Close()
	ctx, stop := context.WithCancel(context.Background())
	server := child.Command(ctx, program, "--access", "id", "--secret", "secretsecret", "--region", "us-east-1", "--port",
		host, "posix", dir)
	var log bytes.Buffer
	server.Stdout, server.Stderr = &log, &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	t.Cleanup(func() { stop(); <-ended })
	for { // until it listens, or ends
		c, err := net.DialTimeout("tcp", host, time.Second)
		if err == nil {
			c.Close()
			return folder, "http://" + host
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("versitygw: %v\n%s", err, log.Bytes())
		case <-time.After(50 * time.Millisecond):
		}
	}
}
