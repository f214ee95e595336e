package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// An election rests on this: of two who write what they have read, one fails.
func TestALeaseIsReplacedOnlyByWhoHasReadIt(t *testing.T) {
	server := httptest.NewServer((&server{store: newStore(5, 50)}).routes())
	defer server.Close()
	const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
	lease := func(version string) string { return `{"metadata":{"name":"a"` + version + `},"spec":{}}` }
	for _, step := range []struct {
		method, path, body string
		status             int
	}{
		{"GET", leases + "/a", "", 404},
		{"PUT", leases + "/a", lease(""), 404},
		{"POST", leases, lease(""), 201},
		{"POST", leases, lease(""), 409},
		{"PUT", leases + "/a", lease(`,"resourceVersion":"1"`), 200},
		{"PUT", leases + "/a", lease(`,"resourceVersion":"1"`), 409},
		{"GET", leases + "/a", "", 200},
	} {
		request, err := http.NewRequest(step.method, server.URL+step.path, strings.NewReader(step.body))
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != step.status {
			t.Errorf("%s %s %s: %d, want %d", step.method, step.path, step.body, response.StatusCode, step.status)
		}
	}
}
