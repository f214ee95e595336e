package load

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

const rightPatch = `[{"op":"remove","path":"/spec/containers/0/resources/limits/nvidia.com~1mig-3g.40gb"},` +
	`{"op":"add","path":"/spec/containers/0/resources/limits/nvidia.com~1mig-2g.20gb","value":"COUNT"},` +
	`{"op":"move","from":"/spec/containers/0/resources/requests/nvidia.com~1mig-3g.40gb","path":"/spec/containers/0/resources/requests/nvidia.com~1mig-2g.20gb"},` +
	`{"op":"add","path":"/metadata/annotations/gpu-webhook.k8s.io~1fallback","value":"3g.40gb->2g.20gb"},` +
	`{"op":"add","path":"/metadata/annotations/gpu-webhook.k8s.io~1reservation","value":"token"}]`

func TestOnlyRightAnswersPass(t *testing.T) {
	uid := string(callUID(7, 7))
	b := one(t, 1)
	count := "1"
	if strings.Contains(string(b.object), `"nvidia.com/mig-3g.40gb":"2"`) {
		count = "2"
	}
	right := strings.ReplaceAll(rightPatch, "COUNT", count)
	for name, c := range map[string]struct{ response, kind string }{
		"right":                {answerWith(uid, right), ""},
		"other uid":            {answerWith(placeholder, right), "uid"},
		"no patch":             {answerWith(uid, ""), "patch"},
		"wrong target":         {answerWith(uid, strings.ReplaceAll(right, "2g.20gb", "1g.10gb")), "patch"},
		"wrong annotation":     {answerWith(uid, strings.ReplaceAll(right, "3g.40gb->2g", "3g.40gb->1g")), "patch"},
		"wrong quantity":       {answerWith(uid, strings.ReplaceAll(right, `"`+count+`"`, `"7"`)), "patch"},
		"limits only":          {answerWith(uid, strings.ReplaceAll(right, "requests", "limits")), "patch"},
		"something else too":   {answerWith(uid, strings.Replace(right, "[", `[{"op":"add","path":"/spec/hostNetwork","value":true},`, 1)), "patch"},
		"patch of another pod": {answerWith(uid, strings.ReplaceAll(right, "containers/0", "containers/5")), "patch"},
		"denied":               {strings.Replace(answerWith(uid, right), "true", "false", 1), "denied"},
		"cut off":              {answerWith(uid, right)[:80], "undecodable"},
		"v1beta1":              {strings.Replace(answerWith(uid, right), "io/v1", "io/v1beta1", 1), "undecodable"},
	} {
		for range 2 { // the second time an answer may be known
			f := b.verify([]byte(uid), []byte(c.response))
			if f == nil && c.kind != "" || f != nil && f.kind != c.kind {
				t.Errorf("%s: got %v, want %q", name, f, c.kind)
			}
		}
	}
}

func TestPodThatStaysMustNotBeChanged(t *testing.T) {
	uid := string(callUID(7, 8))
	b := one(t, 0)
	if f := b.verify([]byte(uid), []byte(answerWith(uid, ""))); f != nil {
		t.Error(f)
	}
	extra := `[{"op":"add","path":"/metadata/annotations/gpu-webhook.k8s.io~1fallback","value":"gpu->gpu"}]`
	if f := b.verify([]byte(uid), []byte(answerWith(uid, extra))); f == nil {
		t.Error("an annotation nobody asked for passed")
	}
}

func TestUIDsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for n := range uint64(100_000) {
		seen[string(callUID(1, n))] = true
	}
	if len(seen) != 100_000 {
		t.Errorf("%d of 100000 differ", len(seen))
	}
}

func one(t *testing.T, fallbackShare float64) *Body {
	t.Helper()
	table := map[string]string{"nvidia.com/gpu": "nvidia.com/gpu", "nvidia.com/mig-3g.40gb": "nvidia.com/mig-2g.20gb"}
	bodies, err := MakeBodies(Mix{Count: 1, FallbackShare: fallbackShare, Seed: 3}, table)
	if err != nil {
		t.Fatal(err)
	}
	return bodies[0]
}

func answerWith(uid, patch string) string {
	if patch != "" {
		patch = fmt.Sprintf(`,"patchType":"JSONPatch","patch":"%s"`, base64.StdEncoding.EncodeToString([]byte(patch)))
	}
	return fmt.Sprintf(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"allowed":true,"uid":"%s"%s}}`, uid, patch)
}
