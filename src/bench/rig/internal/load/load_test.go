package load

import (
	"encoding/json"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// webhook answers what answer makes of the uid, and counts connections.
func webhook(t *testing.T, answer func(uid string) (int, string)) (*Loader, *atomic.Int64) {
	t.Helper()
	var connections atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var review struct{ Request struct{ UID string } }
		if err := json.Unmarshal(body, &review); err != nil {
			t.Error(err)
		}
		status, text := answer(review.Request.UID)
		w.WriteHeader(status)
		io.WriteString(w, text)
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	ca := filepath.Join(t.TempDir(), "ca.crt")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(ca, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	loader, err := New(t.Context(), server.URL+"/mutate", ca, []*Body{one(t, 0)}, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(loader.Close)
	return loader, &connections
}

func right(uid string) (int, string) { return http.StatusOK, answerWith(uid, "") }

func TestABurstSendsEachReviewOnceOnConnectionsOfItsOwn(t *testing.T) {
	loader, connections := webhook(t, right)
	sample := loader.Judge(loader.Burst(8, 100)())
	if len(sample.Latencies) != 100 || connections.Load() != 8 || len(sample.Faults) != 0 {
		t.Errorf("%d reviews, %d connections, faults %v", len(sample.Latencies), connections.Load(), sample.Faults)
	}
}

// Every load must count every wrong answer, whether it judges at once or later.
func TestNoLoadOverlooksAWrongAnswer(t *testing.T) {
	for kind, answer := range map[string]func(string) (int, string){
		"uid":         func(string) (int, string) { return right(placeholder) },
		"status":      func(uid string) (int, string) { return http.StatusServiceUnavailable, "not yet" },
		"undecodable": func(uid string) (int, string) { return http.StatusOK, strings.TrimSuffix(answerWith(uid, ""), "}") },
	} {
		loader, _ := webhook(t, answer)
		for name, run := range map[string]func() func() Sample{
			"closed":         func() func() Sample { return loader.Closed(2, 50*time.Millisecond) },
			"burst":          func() func() Sample { return loader.Burst(4, 50) },
			"open":           func() func() Sample { return loader.Open(500, 100*time.Millisecond, false) },
			"open and later": func() func() Sample { return loader.Open(500, 100*time.Millisecond, true) },
		} {
			sample := loader.Judge(run()())
			if n := int64(len(sample.Latencies)); n == 0 || sample.Faults[kind] != n {
				t.Errorf("%s: of %d answers with a wrong %s these were seen: %v", name, n, kind, sample.Faults)
			}
			if kind == "status" && sample.Latencies[0] != timeout {
				t.Errorf("%s: a call that failed counts with %s", name, sample.Latencies[0])
			}
		}
	}
}

func TestAwaitTellsTheFirstRightAnswer(t *testing.T) {
	var calls atomic.Int64
	loader, _ := webhook(t, func(uid string) (int, string) {
		if calls.Add(1) < 4 {
			return http.StatusServiceUnavailable, ""
		}
		return right(uid)
	})
	if _, err := loader.Await(10*time.Second, nil); err != nil || calls.Load() != 4 {
		t.Errorf("%d calls, %v", calls.Load(), err)
	}
	ended := make(chan struct{})
	close(ended)
	deaf, _ := webhook(t, func(uid string) (int, string) { return http.StatusServiceUnavailable, "" })
	if _, err := deaf.Await(10*time.Second, ended); err == nil {
		t.Error("a webhook that has ended is ready")
	}
}
