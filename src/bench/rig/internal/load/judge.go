package load

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

const annotation = "gpu-webhook.k8s.io/fallback"

// answer is what was once found right for a body, without the uid: the same bytes again are right again.
type answer struct{ before, after []byte }

// fault is the kind of a wrong answer and what was seen.
type fault struct{ kind, detail string }

// verify returns nil for an answer that is right for the body and carries the uid of this call.
func (b *Body) verify(uid, response []byte) *fault {
	at := bytes.Index(response, uid)
	if known := b.seen.Load(); known != nil && at == len(known.before) &&
		bytes.Equal(response[:at], known.before) && bytes.Equal(response[at+len(uid):], known.after) {
		return nil
	}
	if f := b.inspect(uid, response); f != nil {
		return f
	}
	b.seen.Store(&answer{before: bytes.Clone(response[:at]), after: bytes.Clone(response[at+len(uid):])})
	return nil
}

// inspect checks as the API server does, applies the patch and compares the whole pod with the expected one.
func (b *Body) inspect(uid, response []byte) *fault {
	var review struct {
		APIVersion, Kind string
		Response         *struct {
			UID       string
			Allowed   bool
			PatchType *string
			Patch     []byte
		}
	}
	if err := json.Unmarshal(response, &review); err != nil {
		return &fault{"undecodable", err.Error()}
	}
	r := review.Response
	switch {
	case review.APIVersion != "admission.k8s.io/v1" || review.Kind != "AdmissionReview" || r == nil:
		return &fault{"undecodable", fmt.Sprintf("apiVersion %q, kind %q", review.APIVersion, review.Kind)}
	case r.UID != string(uid):
		return &fault{"uid", fmt.Sprintf("sent %s, got %s", uid, r.UID)}
	case !r.Allowed:
		return &fault{"denied", string(response)}
	case len(r.Patch) > 0 && (r.PatchType == nil || *r.PatchType != "JSONPatch"):
		return &fault{"patch", "a patch without patchType JSONPatch"}
	}
	changed := b.object
	if len(r.Patch) > 0 {
		patch, err := jsonpatch.DecodePatch(r.Patch)
		if err == nil {
			changed, err = patch.Apply(b.object)
		}
		if err != nil {
			return &fault{"patch", err.Error() + ": " + string(r.Patch)}
		}
	}
	var got map[string]any
	if err := json.Unmarshal(changed, &got); err != nil {
		return &fault{"patch", err.Error()}
	}
	want := b.expected()
	dropOwnAnnotations(got)
	if !reflect.DeepEqual(got, want) {
		return &fault{"patch", fmt.Sprintf("asked %q, expected %q, patch %s", b.asked, b.given, r.Patch)}
	}
	return nil
}

// expected is the pod as it must be after the patch.
func (b *Body) expected() map[string]any {
	var pod map[string]any
	if err := json.Unmarshal(b.object, &pod); err != nil {
		panic(err)
	}
	if b.asked == b.given {
		return pod
	}
	for _, container := range pod["spec"].(map[string]any)["containers"].([]any) {
		resources := container.(map[string]any)["resources"].(map[string]any)
		for _, side := range []string{"requests", "limits"} {
			list := resources[side].(map[string]any)
			if count, ok := list[b.asked]; ok {
				delete(list, b.asked)
				list[b.given] = count
			}
		}
	}
	pod["metadata"].(map[string]any)["annotations"].(map[string]any)[annotation] = brief(b.asked) + "->" + brief(b.given)
	return pod
}

// dropOwnAnnotations forgets a gateway's further annotations (such as a reservation's token): they are not judged here.
func dropOwnAnnotations(pod map[string]any) {
	metadata, _ := pod["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	for key := range annotations {
		if strings.HasPrefix(key, "gpu-webhook.k8s.io/") && key != annotation {
			delete(annotations, key)
		}
	}
}

func brief(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, "nvidia.com/"), "mig-")
}
