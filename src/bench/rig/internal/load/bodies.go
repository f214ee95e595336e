package load

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"sort"
	"sync/atomic"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"dev.sluice/rig/internal/shape"
)

// Body is one review to send. The uid in it is a place-holder: every call gets a fresh one, as from the API server.
type Body struct {
	raw          []byte
	uidAt        int
	object       []byte // the pod within
	asked, given string // the resource asked for and the one expected
	seen         atomic.Pointer[answer]
}

// Mix says which reviews are made. All of them ask for a GPU resource.
type Mix struct {
	Count         int
	FallbackShare float64 // the share of those whose resource must be replaced
	DryRun        bool
	Seed          uint64
}

const placeholder = "00000000-0000-4000-8000-000000000000"

// MakeBodies generates the reviews; the table maps each resource that may be asked for to the one that must be given.
func MakeBodies(m Mix, table map[string]string) ([]*Body, error) {
	var kept, changed []string
	for asked, given := range table {
		if asked == given {
			kept = append(kept, asked)
		} else {
			changed = append(changed, asked)
		}
	}
	sort.Strings(kept)
	sort.Strings(changed)
	if len(kept) == 0 || len(changed) == 0 && m.FallbackShare > 0 {
		return nil, fmt.Errorf("the expectation table has %d resources that stay and %d that change; the mix needs both", len(kept), len(changed))
	}
	random := rand.New(rand.NewPCG(m.Seed, 1))
	bodies := make([]*Body, m.Count)
	for i := range bodies {
		asked := kept[random.IntN(len(kept))]
		if random.Float64() < m.FallbackShare {
			asked = changed[random.IntN(len(changed))]
		}
		b, err := makeBody(m, random, i, asked)
		if err != nil {
			return nil, err
		}
		b.given = table[asked]
		bodies[i] = b
	}
	return bodies, nil
}

func makeBody(m Mix, random *rand.Rand, i int, asked string) (*Body, error) {
	id := shape.Identity{Name: fmt.Sprintf("run-%05d-%06x", i, random.Uint32()&0xffffff), Namespace: fmt.Sprintf("team-%03d", i%200), Owner: randomUID(random)}
	ask := shape.Ask{Resource: asked, Count: 1 + random.Int64N(2)}
	pod := shape.Submitted(id, ask)
	pod.APIVersion, pod.Kind = "v1", "Pod"
	object, err := json.Marshal(pod)
	if err != nil {
		return nil, err
	}
	pods := metav1.GroupVersionResource{Version: "v1", Resource: "pods"}
	kind := metav1.GroupVersionKind{Version: "v1", Kind: "Pod"}
	raw, err := json.Marshal(admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"},
		Request: &admissionv1.AdmissionRequest{
			UID: placeholder, Kind: kind, RequestKind: &kind, Resource: pods, RequestResource: &pods,
			Name: id.Name, Namespace: id.Namespace, Operation: admissionv1.Create, DryRun: &m.DryRun,
			UserInfo: authenticationv1.UserInfo{
				Username: "system:serviceaccount:kube-system:job-controller", UID: "7f0c1d2e-94a4-4c1c-9d0e-31f1b2a0c0aa",
				Groups: []string{"system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"},
			},
			Object:  runtime.RawExtension{Raw: object},
			Options: runtime.RawExtension{Raw: []byte(`{"kind":"CreateOptions","apiVersion":"meta.k8s.io/v1"}`)},
		},
	})
	if err != nil {
		return nil, err
	}
	return &Body{raw: raw, uidAt: bytes.Index(raw, []byte(placeholder)), object: object, asked: asked}, nil
}

// withUID is a fresh copy of the review; the transport may read it after the answer came, so it is never reused.
func (b *Body) withUID(uid []byte) []byte {
	data := bytes.Clone(b.raw)
	copy(data[b.uidAt:], uid)
	return data
}

// callUID makes the n-th uid of a run: unique, in the form of a random UUID.
func callUID(base, n uint64) []byte {
	var raw [16]byte
	x := (base + n) * 0x9E3779B97F4A7C15
	for i := range 8 {
		raw[i], raw[8+i] = byte(x>>(8*i)), byte(n>>(8*(7-i)))
	}
	return format(raw)
}

func randomUID(random *rand.Rand) string {
	var raw [16]byte
	for i := range raw {
		raw[i] = byte(random.Uint32())
	}
	return string(format(raw))
}

func format(raw [16]byte) []byte {
	out := []byte(placeholder)
	raw[6], raw[8] = raw[6]&0x0f|0x40, raw[8]&0x3f|0x80
	for _, span := range [][3]int{{0, 0, 4}, {9, 4, 6}, {14, 6, 8}, {19, 8, 10}, {24, 10, 16}} {
		hex.Encode(out[span[0]:], raw[span[1]:span[2]])
	}
	return out
}

// ReadTable reads what the feed writes of what is right: the resource asked for, and the one to be given.
func ReadTable(path string) (map[string]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	table := map[string]string{}
	if err := json.Unmarshal(data, &table); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}
