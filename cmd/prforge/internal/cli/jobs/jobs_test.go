package jobs

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	batch "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"
)

// TestKubernetesJobs decodes the job files strictly into the types of Kubernetes'
// own API: a field that does not exist, or has another type, is an error. What the
// published schema requires must be there.
func TestKubernetesJobs(t *testing.T) {
	published := jobSchema(t)
	for name, bucket := range map[string]bool{"/shared/run 1": false, "s3://bench/run1": true} {
		var out bytes.Buffer
		j := Jobs{Program: "prforge", ConfigFile: "prforge.yaml", AtYAML: YAMLQuote(name), OutName: "dataset", Image: YAMLQuote("prforge:1"), Bucket: bucket, Shares: 100, Last: 99, AtOnce: 40}
		if _, err := j.Write(&out, "kubernetes"); err != nil {
			t.Fatal(err)
		}
		_, documents, _ := strings.Cut(out.String(), "\n---\n")
		var found []string
		for _, text := range strings.Split(documents, "\n---\n") {
			var job batch.Job
			if err := yaml.UnmarshalStrict([]byte(text), &job); err != nil {
				t.Errorf("%v\n%s", err, text)
				continue
			}
			found = append(found, job.Name)
			if err := published.Validate(instance(t, text)); err != nil {
				t.Errorf("%s: %v", job.Name, err)
			}
			checkJob(t, &job, name, bucket)
		}
		if strings.Join(found, " ") != "prforge-collect prforge-shard prforge-merge" {
			t.Errorf("jobs %v", found)
		}
	}
}

// jobSchema is Kubernetes' own schema of a Job, as each release publishes it.
// Fields that it does not have are refused by strict decoding.
func jobSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("../testdata/kubernetes/job.json#/components/schemas/io.k8s.api.batch.v1.Job")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// instance reads a document as the validator wants it.
func instance(t *testing.T, text string) any {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// checkJob compares what the API requires and what a run depends on.
func checkJob(t *testing.T, job *batch.Job, at string, bucket bool) {
	t.Helper()
	if job.APIVersion != "batch/v1" || job.Kind != "Job" {
		t.Errorf("%s is a %s of %s", job.Name, job.Kind, job.APIVersion)
	}
	pod := job.Spec.Template.Spec
	if pod.RestartPolicy != "Never" || len(pod.Containers) != 1 {
		t.Fatalf("%s: restart policy %s, %d containers", job.Name, pod.RestartPolicy, len(pod.Containers))
	}
	c := pod.Containers[0]
	if !strings.Contains(" "+strings.Join(c.Args, " ")+" ", " "+at+" ") {
		t.Errorf("%s: arguments %q", job.Name, c.Args)
	}
	volumes := map[string]bool{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = true
	}
	for _, m := range c.VolumeMounts {
		if !volumes[m.Name] {
			t.Errorf("%s mounts %s, which is no volume", job.Name, m.Name)
		}
	}
	if volumes["exchange"] == bucket {
		t.Errorf("%s: a volume for the exchange: %t", job.Name, volumes["exchange"])
	}
	token := false
	for _, e := range c.EnvFrom {
		token = token || e.SecretRef.Name == "prforge-github"
	}
	if token != (job.Name == "prforge-collect") {
		t.Errorf("%s has the token: %t", job.Name, token)
	}
	if s := job.Spec; job.Name == "prforge-shard" && (*s.CompletionMode != batch.IndexedCompletion || *s.Completions != 100 || *s.Parallelism != 40 || *s.BackoffLimitPerIndex != 3) {
		t.Errorf("%+v", s)
	}
}
