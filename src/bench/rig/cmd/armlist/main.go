// Command armlist is arm L, the predecessor's way: every GPU pod costs a LIST of all nodes (and, with -available, of all
// pods). Only its client's rate limit is lifted; with client-go's default it would answer five requests a second.
package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"flag"
	"io"
	"log"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"dev.sluice/rig/internal/fallback"
)

type webhook struct {
	client    kubernetes.Interface
	available bool
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "kubeconfig")
	address := flag.String("address", "127.0.0.1:8443", "address to listen on")
	cert := flag.String("cert", "", "certificate")
	key := flag.String("key", "", "key")
	available := flag.Bool("available", false, "decide by Available = Allocatable - Allocated")
	flag.Parse()

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	check(err)
	config.QPS = -1
	client, err := kubernetes.NewForConfig(config)
	check(err)
	mux := http.NewServeMux()
	mux.Handle("POST /mutate", &webhook{client: client, available: *available})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok") })
	server := &http.Server{Addr: *address, Handler: mux, TLSConfig: &tls.Config{NextProtos: []string{"http/1.1"}}}
	log.Printf("arm L on %s", *address)
	check(server.ListenAndServeTLS(*cert, *key))
}

func (h *webhook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 8<<20))
	var review admissionv1.AdmissionReview
	if err != nil || json.Unmarshal(body, &review) != nil || review.Request == nil {
		http.Error(w, "not an AdmissionReview", http.StatusBadRequest)
		return
	}
	response := &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
	if err := h.decide(r.Context(), review.Request, response); err != nil {
		log.Print(err)
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(admissionv1.AdmissionReview{TypeMeta: review.TypeMeta, Response: response})
}

func (h *webhook) decide(ctx context.Context, request *admissionv1.AdmissionRequest, response *admissionv1.AdmissionResponse) error {
	var pod fallback.Pod
	if err := json.Unmarshal(request.Object.Raw, &pod); err != nil {
		return err
	}
	if !asksHead(&pod) {
		return nil
	}
	best, err := h.best(ctx)
	if err != nil {
		return err
	}
	operations := fallback.Patch(&pod, func(name string, _ int64) bool { return best[corev1.ResourceName(name)] >= 1 })
	if operations == nil {
		return nil
	}
	patchType := admissionv1.PatchTypeJSONPatch
	response.PatchType = &patchType
	response.Patch, err = json.Marshal(operations)
	return err
}

func asksHead(pod *fallback.Pod) bool {
	for _, container := range pod.Spec.Containers {
		for name := range container.Resources.Limits {
			if fallback.IsHead(name) {
				return true
			}
		}
	}
	return false
}

// best gives, per resource, the most that any one node has.
func (h *webhook) best(ctx context.Context) (map[corev1.ResourceName]int64, error) {
	nodes, err := h.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	used := map[string]map[corev1.ResourceName]int64{}
	if h.available {
		if used, err = h.allocated(ctx); err != nil {
			return nil, err
		}
	}
	best := map[corev1.ResourceName]int64{}
	for i := range nodes.Items {
		node := &nodes.Items[i]
		for name, quantity := range node.Status.Allocatable {
			best[name] = max(best[name], quantity.Value()-used[node.Name][name])
		}
	}
	return best, nil
}

// allocated sums, per node, what its pods that have not ended request.
func (h *webhook) allocated(ctx context.Context) (map[string]map[corev1.ResourceName]int64, error) {
	pods, err := h.client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	used := map[string]map[corev1.ResourceName]int64{}
	for i := range pods.Items {
		pod := &pods.Items[i]
		if pod.Spec.NodeName == "" || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
			continue
		}
		if used[pod.Spec.NodeName] == nil {
			used[pod.Spec.NodeName] = map[corev1.ResourceName]int64{}
		}
		for _, container := range pod.Spec.Containers {
			for name, quantity := range container.Resources.Requests {
				used[pod.Spec.NodeName][name] += quantity.Value()
			}
		}
	}
	return used, nil
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
