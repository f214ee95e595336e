package main

import (
	"bufio"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

func (s *server) watch(w http.ResponseWriter, r *http.Request, c *collection, query url.Values, admits func(form, node int32) bool, proto bool) {
	ctx := r.Context()
	if seconds, _ := strconv.Atoi(query.Get("timeoutSeconds")); seconds > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(seconds)*time.Second)
		defer cancel()
	}
	w.Header().Set("Content-Type", "application/json")
	if proto {
		w.Header().Set("Content-Type", protobuf+";stream=watch")
	}
	out := &stream{c: c, proto: proto, out: bufio.NewWriterSize(w, 64<<10), flusher: w.(http.Flusher)}
	version, err := strconv.ParseUint(query.Get("resourceVersion"), 10, 64)
	if err != nil || version == 0 || query.Get("sendInitialEvents") == "true" {
		var records []record
		records, version = s.store.snapshot(c, admits)
		for _, record := range records {
			out.object("ADDED", record)
		}
		if query.Get("sendInitialEvents") == "true" {
			out.bookmark(version, true)
		}
	}
	out.flush()
	ticker := time.NewTicker(s.bookmarks)
	defer ticker.Stop()
	for {
		events, reached, more, ok := s.store.since(c, version)
		if !ok {
			out.gone()
			return
		}
		version = reached
		for _, e := range events {
			if kind := e.seenThrough(admits); kind != "" {
				out.object(kind, e.record)
			}
		}
		if len(events) > 0 {
			out.flush()
		}
		select {
		case <-ctx.Done():
			return
		case <-more:
		case <-ticker.C:
			if query.Get("allowWatchBookmarks") == "true" {
				out.bookmark(version, false)
				out.flush()
			}
		}
		if out.failed {
			return
		}
	}
}

// seenThrough is the kind of the event for a watcher that sees only what the selector admits, or "".
func (e event) seenThrough(admits func(form, node int32) bool) string {
	before, now := e.before >= 0 && admits(e.before, e.beforeN), e.kind != "DELETED" && admits(int32(e.form), e.node)
	switch {
	case before && now:
		return "MODIFIED"
	case before:
		return "DELETED"
	case now:
		return "ADDED"
	}
	return ""
}

// stream writes watch events to one client.
type stream struct {
	c               *collection
	proto           bool
	out             *bufio.Writer
	flusher         http.Flusher
	object_, frame_ []byte
	failed          bool
}

func (s *stream) object(event string, r record) {
	form := s.c.forms[r.form].json
	if s.proto {
		form = s.c.forms[r.form].proto
	}
	s.object_ = form.render(s.object_[:0], s.c.names(r))
	s.write(event, s.c.kind, s.object_)
}

func (s *stream) bookmark(version uint64, initialEnd bool) {
	s.write("BOOKMARK", s.c.kind, bookmark(s.c.kind, strconv.FormatUint(version, 10), s.proto, initialEnd))
}

func (s *stream) gone() {
	object := []byte(`{"status":"Failure","message":"too old resource version","reason":"Expired","code":410}`)
	if s.proto { // Status: status=2, message=3, reason=4, code=6 (410 as a varint)
		object = append(text(text(text(nil, 2, "Failure"), 3, "too old resource version"), 4, "Expired"), 6<<3, 0x9a, 0x03)
	}
	s.write("ERROR", "Status", object)
	s.flush()
}

func (s *stream) write(event, kind string, object []byte) {
	s.frame_ = watchFrame(s.frame_[:0], s.proto, event, kind, object)
	if _, err := s.out.Write(s.frame_); err != nil {
		s.failed = true
	}
}

func (s *stream) flush() {
	if s.out.Flush() != nil {
		s.failed = true
	}
	s.flusher.Flush()
}
