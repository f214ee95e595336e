package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	protobuf  = "application/vnd.kubernetes.protobuf"
	leasePath = "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases"
)

// server is as much of the Kubernetes API as list-watch clients need.
type server struct {
	store     *store
	bookmarks time.Duration
	pagesLock sync.Mutex
	pages     map[string]*page // continue token -> the rest of a list
	pageCount atomic.Uint64
	requests  sync.Map // description -> *atomic.Int64, for /rig/requests
}

type page struct {
	rest    []record
	version uint64
}

const pagesKept = 16 // lists being paged at once; an older token answers 410, as after compaction

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	for path, answer := range discovery {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, answer) })
	}
	for _, path := range []string{"/healthz", "/readyz", "/livez"} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok") })
	}
	mux.HandleFunc("GET /rig/requests", s.counted)
	mux.HandleFunc("GET /api/v1/nodes", func(w http.ResponseWriter, r *http.Request) { s.collection(w, r, &s.store.nodes) })
	mux.HandleFunc("GET /api/v1/pods", func(w http.ResponseWriter, r *http.Request) { s.collection(w, r, &s.store.pods) })
	held := &leases{objects: map[string]map[string]any{}}
	mux.HandleFunc("GET "+leasePath+"/{name}", held.get)
	mux.HandleFunc("POST "+leasePath, held.put)
	mux.HandleFunc("PUT "+leasePath+"/{name}", held.put)
	mux.HandleFunc("POST /api/v1/namespaces/{ns}/events", echo)
	mux.HandleFunc("POST /apis/events.k8s.io/v1/namespaces/{ns}/events", echo)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.count("not found: " + r.Method + " " + r.URL.Path)
		refuse(w, http.StatusNotFound, "NotFound", "the feed does not serve "+r.URL.Path)
	})
	return mux
}

func (s *server) collection(w http.ResponseWriter, r *http.Request, c *collection) {
	query := r.URL.Query()
	admits, err := selector(query, c)
	if err != nil {
		refuse(w, http.StatusBadRequest, "BadRequest", err.Error())
		return
	}
	proto := strings.HasPrefix(r.Header.Get("Accept"), protobuf)
	watching := query.Get("watch") == "1" || query.Get("watch") == "true"
	s.count(fmt.Sprintf("%s watch=%v proto=%v sendInitialEvents=%s resourceVersion=%q limit=%s",
		c.kind, watching, proto, query.Get("sendInitialEvents"), short(query.Get("resourceVersion")), query.Get("limit")))
	if watching {
		s.watch(w, r, c, query, admits, proto)
	} else {
		s.list(w, c, query, admits, proto)
	}
}

func short(version string) string {
	if len(version) > 1 {
		return "some"
	}
	return version
}

func (s *server) list(w http.ResponseWriter, c *collection, query url.Values, admits func(form, node int32) bool, proto bool) {
	var records []record
	var version uint64
	if token := query.Get("continue"); token != "" {
		s.pagesLock.Lock()
		p := s.pages[token]
		delete(s.pages, token)
		s.pagesLock.Unlock()
		if p == nil {
			refuse(w, http.StatusGone, "Expired", "the provided continue parameter is too old")
			return
		}
		records, version = p.rest, p.version
	} else {
		records, version = s.store.snapshot(c, admits)
	}
	next, remaining := "", 0
	if limit, _ := strconv.Atoi(query.Get("limit")); limit > 0 && limit < len(records) {
		next, remaining = s.keep(page{records[limit:], version}), len(records)-limit
		records = records[:limit]
	}
	out := bufio.NewWriterSize(w, 64<<10)
	defer out.Flush()
	if proto {
		w.Header().Set("Content-Type", protobuf)
		c.writeProtoList(out, records, version, next, remaining)
	} else {
		w.Header().Set("Content-Type", "application/json")
		c.writeJSONList(out, records, version, next, remaining)
	}
}

func (s *server) keep(p page) string {
	number := s.pageCount.Add(1)
	token := fmt.Sprintf("page-%d-%d", p.version, number)
	s.pagesLock.Lock()
	defer s.pagesLock.Unlock()
	if len(s.pages) >= pagesKept {
		for old := range s.pages {
			delete(s.pages, old)
			break
		}
	}
	s.pages[token] = &p
	return token
}

func (c *collection) writeJSONList(out *bufio.Writer, records []record, version uint64, next string, remaining int) {
	fmt.Fprintf(out, `{"kind":"%sList","apiVersion":"v1","metadata":{"resourceVersion":"%d"`, c.kind, version)
	if next != "" {
		fmt.Fprintf(out, `,"continue":"%s","remainingItemCount":%d`, next, remaining)
	}
	io.WriteString(out, `},"items":[`)
	var buffer []byte
	for i, r := range records {
		buffer = buffer[:0]
		if i > 0 {
			buffer = append(buffer, ',')
		}
		buffer = c.forms[r.form].json.render(buffer, c.names(r))
		out.Write(buffer)
	}
	io.WriteString(out, "]}\n")
}

func (c *collection) writeProtoList(out *bufio.Writer, records []record, version uint64, next string, remaining int) {
	meta := text(nil, 2, strconv.FormatUint(version, 10))
	if next != "" {
		meta = append(text(meta, 3, next), 4<<3, byte(remaining&0x7f|0x80), byte(remaining>>7&0x7f|0x80), byte(remaining>>14&0x7f|0x80), byte(remaining>>21))
	}
	size := fieldSize(len(meta))
	for _, r := range records {
		size += fieldSize(c.forms[r.form].proto.size)
	}
	out.Write(envelope(nil, c.kind+"List", size))
	out.Write(append(field(nil, 1, len(meta)), meta...))
	var buffer []byte
	for _, r := range records {
		t := c.forms[r.form].proto
		buffer = t.render(field(buffer[:0], 2, t.size), c.names(r))
		out.Write(buffer)
	}
}

// selector understands the field selectors that gateways use; labels are not supported.
func selector(query url.Values, c *collection) (func(form, node int32) bool, error) {
	if query.Get("labelSelector") != "" {
		return nil, fmt.Errorf("the feed knows no label selectors")
	}
	var tests []func(form, node int32) bool
	for term := range strings.SplitSeq(query.Get("fieldSelector"), ",") {
		if term == "" {
			continue
		}
		name, value, _ := strings.Cut(term, "=")
		want := !strings.HasSuffix(name, "!")
		name, value = strings.TrimSuffix(name, "!"), strings.TrimPrefix(value, "=")
		switch {
		case c.kind == "Pod" && name == "status.phase":
			tests = append(tests, func(form, _ int32) bool { return (string(c.phases[form]) == value) == want })
		case c.kind == "Pod" && name == "spec.nodeName":
			tests = append(tests, func(_, node int32) bool { return (nameOrEmpty(node) == value) == want })
		default:
			return nil, fmt.Errorf("field label not supported: %s", name)
		}
	}
	return func(form, node int32) bool {
		for _, test := range tests {
			if !test(form, node) {
				return false
			}
		}
		return true
	}, nil
}

func nameOrEmpty(node int32) string {
	if node < 0 {
		return ""
	}
	return string(nodeName(uint32(node)))
}

func (s *server) count(what string) {
	n, _ := s.requests.LoadOrStore(what, new(atomic.Int64))
	if n.(*atomic.Int64).Add(1) == 1 {
		log.Printf("first request of its kind: %s", what)
	}
}

func (s *server) counted(w http.ResponseWriter, _ *http.Request) {
	counts := map[string]int64{}
	s.requests.Range(func(k, v any) bool { counts[k.(string)] = v.(*atomic.Int64).Load(); return true })
	writeJSON(w, http.StatusOK, counts)
}

func echo(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
	w.WriteHeader(http.StatusCreated)
	io.Copy(w, io.LimitReader(r.Body, 3<<20))
}

func refuse(w http.ResponseWriter, code int, reason, message string) {
	writeJSON(w, code, map[string]any{"kind": "Status", "apiVersion": "v1", "metadata": map[string]any{},
		"status": "Failure", "message": message, "reason": reason, "code": code})
}

func writeJSON(w http.ResponseWriter, code int, answer any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(answer)
}

var discovery = map[string]any{
	"/version": map[string]string{"major": "1", "minor": "36", "gitVersion": "v1.36.0", "platform": "linux/amd64", "goVersion": "go1.26"},
	"/api":     map[string]any{"kind": "APIVersions", "versions": []string{"v1"}, "serverAddressByClientCIDRs": []any{}},
	"/apis":    map[string]any{"kind": "APIGroupList", "apiVersion": "v1", "groups": []any{}},
	"/api/v1": map[string]any{"kind": "APIResourceList", "groupVersion": "v1", "resources": []any{
		map[string]any{"name": "nodes", "singularName": "node", "namespaced": false, "kind": "Node", "verbs": []string{"list", "watch"}},
		map[string]any{"name": "pods", "singularName": "pod", "namespaced": true, "kind": "Pod", "verbs": []string{"list", "watch"}},
		map[string]any{"name": "events", "singularName": "event", "namespaced": true, "kind": "Event", "verbs": []string{"create"}},
	}},
}
