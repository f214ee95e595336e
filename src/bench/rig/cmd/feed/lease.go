package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// leases are those of coordination.k8s.io, which gateways that reserve hold so that only one of them decides. A PUT with
// an old resourceVersion is refused, as by the real API server. Nothing else is stored of what clients write.
type leases struct {
	mu      sync.Mutex
	version int
	objects map[string]map[string]any // by namespace/name
}

func (l *leases) get(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lease, ok := l.objects[r.PathValue("ns")+"/"+r.PathValue("name")]
	if !ok {
		refuse(w, http.StatusNotFound, "NotFound", "there is no such lease")
		return
	}
	writeJSON(w, http.StatusOK, lease)
}

// put creates (POST) or replaces (PUT) a lease.
func (l *leases) put(w http.ResponseWriter, r *http.Request) {
	var lease map[string]any
	if err := json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&lease); err != nil {
		refuse(w, http.StatusBadRequest, "BadRequest", err.Error())
		return
	}
	metadata, _ := lease["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	key := r.PathValue("ns") + "/" + name
	l.mu.Lock()
	defer l.mu.Unlock()
	stored, exists := l.objects[key]
	status := http.StatusOK
	switch {
	case name == "":
		refuse(w, http.StatusBadRequest, "BadRequest", "the lease has no name")
		return
	case r.Method == http.MethodPost && exists:
		refuse(w, http.StatusConflict, "AlreadyExists", "the lease exists")
		return
	case r.Method == http.MethodPost:
		status = http.StatusCreated
	case !exists:
		refuse(w, http.StatusNotFound, "NotFound", "there is no such lease")
		return
	case metadata["resourceVersion"] != nil && metadata["resourceVersion"] != stored["metadata"].(map[string]any)["resourceVersion"]:
		refuse(w, http.StatusConflict, "Conflict", "the lease has been changed")
		return
	}
	l.version++
	metadata["resourceVersion"] = strconv.Itoa(l.version)
	l.objects[key] = lease
	writeJSON(w, status, lease)
}
