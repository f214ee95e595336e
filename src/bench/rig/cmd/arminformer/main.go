// Command arminformer is arm C, what a good Go engineer would write: controller-runtime's webhook server and cache, the
// rule's facts kept up to date by informer events, so that a request asks nobody.
package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"flag"
	"log"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"github.com/go-logr/logr"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"dev.sluice/rig/internal/fallback"
)

func main() {
	port := flag.Int("port", 8443, "port on 127.0.0.1")
	certs := flag.String("certs", "", "directory with tls.crt and tls.key")
	available := flag.Bool("available", false, "decide by Available = Allocatable - Allocated")
	tuned := flag.Bool("tuned", false, "decode reviews with a handler of our own instead of admission.Webhook")
	flag.Parse()
	ctrl.SetLogger(logr.Discard())

	config, err := ctrl.GetConfig() // by -kubeconfig, a flag of controller-runtime's own
	check(err)
	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: *port, CertDir: *certs,
		TLSOpts: []func(*tls.Config){func(c *tls.Config) { c.NextProtos = []string{"http/1.1"} }}})
	running := fields.ParseSelectorOrDie("status.phase!=Succeeded,status.phase!=Failed")
	mgr, err := ctrl.NewManager(config, manager.Options{
		WebhookServer: server, Metrics: metricsserver.Options{BindAddress: "0"},
		Cache: cache.Options{DefaultUnsafeDisableDeepCopy: ptr.To(true), ByObject: map[client.Object]cache.ByObject{
			&corev1.Node{}: {Transform: slimNode},
			&corev1.Pod{}:  {Transform: slimPod, Field: running},
		}},
	})
	check(err)
	ctx := ctrl.SetupSignalHandler()
	h := &handler{ledger: newLedger(), headroom: *tuned && os.Getenv("GOGC") == ""}
	server = mgr.GetWebhookServer() // asking for it is what makes the manager start it
	if *tuned {
		server.Register("/mutate", http.HandlerFunc(h.tuned))
	} else {
		server.Register("/mutate", &webhook.Admission{Handler: h})
	}
	server.Register("/healthz", http.HandlerFunc(h.health))
	check(mgr.Add(manager.RunnableFunc(func(ctx context.Context) error { return h.sync(ctx, mgr.GetCache(), *available) })))
	check(mgr.Start(ctx))
}

type handler struct {
	ledger   *ledger
	synced   atomic.Bool
	headroom bool // collect garbage by a fixed head-room instead of a share of the live heap
}

// sync attaches the ledger to the informers and waits until it has seen all that exists.
func (h *handler) sync(ctx context.Context, informers cache.Cache, available bool) error {
	nodes, err := informers.GetInformer(ctx, &corev1.Node{})
	if err != nil {
		return err
	}
	nodesSeen, err := nodes.AddEventHandler(h.ledger.nodeHandler())
	if err != nil {
		return err
	}
	podsSeen := nodesSeen
	if available {
		pods, err := informers.GetInformer(ctx, &corev1.Pod{})
		if err != nil {
			return err
		}
		if podsSeen, err = pods.AddEventHandler(h.ledger.podHandler()); err != nil {
			return err
		}
	}
	if !toolscache.WaitForCacheSync(ctx.Done(), nodesSeen.HasSynced, podsSeen.HasSynced) {
		return ctx.Err()
	}
	if h.headroom {
		leaveHeadroom(64 << 20)
	}
	h.synced.Store(true)
	log.Printf("arm C synced, best %v", *h.ledger.best.Load())
	return nil
}

// leaveHeadroom lets the heap grow by so many bytes, or to its double, between collections: a small heap is then collected
// seldom, and a large one costs no more memory than by default. At most ninefold, as requests add to a small heap.
func leaveHeadroom(bytes uint64) {
	debug.FreeOSMemory()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	debug.SetGCPercent(int(min(800, max(100, bytes*100/stats.HeapAlloc))))
}

func (h *handler) health(w http.ResponseWriter, _ *http.Request) {
	if !h.synced.Load() {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

// Handle decides one review.
func (h *handler) Handle(_ context.Context, request admission.Request) admission.Response {
	if !h.synced.Load() {
		return admission.Errored(http.StatusServiceUnavailable, errNotSynced)
	}
	response := admission.Response{AdmissionResponse: admissionv1.AdmissionResponse{Allowed: true}}
	if request.Operation != admissionv1.Create || request.Resource.Resource != "pods" || request.SubResource != "" {
		return response
	}
	if !bytes.Contains(request.Object.Raw, head) {
		return response
	}
	var pod fallback.Pod
	if err := json.Unmarshal(request.Object.Raw, &pod); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	if operations := fallback.Patch(&pod, h.ledger.offered); operations != nil {
		response.Patch, _ = json.Marshal(operations) // strings only, cannot fail
		response.PatchType = ptr.To(admissionv1.PatchTypeJSONPatch)
	}
	return response
}

// head is in every pod that the rule could change.
var head = []byte(`"nvidia.com/mig-`)

// tuned does what admission.Webhook and Handle do in one pass over the body, reading only what the rule needs. Built with
// GOEXPERIMENT=jsonv2 that pass costs half.
func (h *handler) tuned(w http.ResponseWriter, r *http.Request) {
	if !h.synced.Load() {
		http.Error(w, errNotSynced.Error(), http.StatusServiceUnavailable)
		return
	}
	var body bytes.Buffer
	body.Grow(int(max(0, min(r.ContentLength, 1<<20))) + bytes.MinRead)
	if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, 7<<20)); err != nil {
		http.Error(w, "body too large or broken", http.StatusRequestEntityTooLarge)
		return
	}
	var review struct {
		Kind    string `json:"kind"`
		Request *struct {
			UID         string `json:"uid"`
			Operation   string `json:"operation"`
			SubResource string `json:"subResource"`
			Resource    struct {
				Resource string `json:"resource"`
			} `json:"resource"`
			Object fallback.Pod `json:"object"`
		} `json:"request"`
	}
	if json.Unmarshal(body.Bytes(), &review) != nil || review.Kind != "AdmissionReview" || review.Request == nil {
		http.Error(w, "not an AdmissionReview", http.StatusBadRequest)
		return
	}
	request := review.Request
	var answer struct {
		Kind       string `json:"kind"`
		APIVersion string `json:"apiVersion"`
		Response   struct {
			UID       string `json:"uid"`
			Allowed   bool   `json:"allowed"`
			PatchType string `json:"patchType,omitempty"`
			Patch     []byte `json:"patch,omitempty"`
		} `json:"response"`
	}
	answer.Kind, answer.APIVersion = "AdmissionReview", "admission.k8s.io/v1"
	answer.Response.UID, answer.Response.Allowed = request.UID, true
	if request.Operation == "CREATE" && request.Resource.Resource == "pods" && request.SubResource == "" {
		if operations := fallback.Patch(&request.Object, h.ledger.offered); operations != nil {
			answer.Response.Patch, _ = json.Marshal(operations)
			answer.Response.PatchType = "JSONPatch"
		}
	}
	data, _ := json.Marshal(answer)
	w.Header().Set("Content-Type", "application/json")
	w.Write(data)
}

var errNotSynced = errors.New("the cache is not synced")

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
