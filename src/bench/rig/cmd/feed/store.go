package main

import (
	"encoding/hex"
	"fmt"
	"sort"
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"dev.sluice/rig/internal/shape"
)

// record is one object; everything else about it follows from these few bytes.
type record struct {
	version uint64
	id      uint32
	node    int32 // of a pod: the node it is bound to, -1 for none
	form    uint16
}

// event is one step of the history. before is the form that the object had (for field selectors), -1 for none.
type event struct {
	record
	kind    string // ADDED, MODIFIED, DELETED
	before  int32
	beforeN int32
}

// collection is all objects of one kind, with the tail of their history.
type collection struct {
	kind    string
	forms   []form
	phases  []corev1.PodPhase // of pods: by form
	objects map[uint32]record
	history []event // versions rise; trimmed at the front
	trimmed uint64  // newest version that is no longer in the history
}

// store is the cluster. One lock: all that is done under it is copying small records.
type store struct {
	mu      sync.Mutex
	version uint64
	changed chan struct{} // closed and replaced at each event
	nodes   collection
	pods    collection
	forms   map[podForm]uint16
}

type podForm struct {
	ask   shape.Ask
	phase corev1.PodPhase
	bound bool
}

const historyKept = 100_000

func newStore(nodes, pods int) *store {
	s := &store{version: 1_000_000_000, changed: make(chan struct{}), forms: map[podForm]uint16{}}
	s.nodes = collection{kind: "Node", objects: make(map[uint32]record, nodes)}
	s.pods = collection{kind: "Pod", objects: make(map[uint32]record, pods)}
	for _, layout := range shape.Layouts {
		node := shape.Node(tokens[holeNode], tokens[holeUID], tokens[holeVersion], layout)
		s.nodes.forms = append(s.nodes.forms, formOf(node))
	}
	for n := range nodes {
		s.version++
		s.nodes.objects[uint32(n)] = record{version: s.version, id: uint32(n), node: -1, form: uint16(shape.LayoutOf(n))}
	}
	for p := range pods {
		node := p % nodes
		ask, phase := shape.AskOf(shape.LayoutOf(node), p/nodes), corev1.PodRunning
		if ask.Ended {
			phase = corev1.PodSucceeded
		}
		s.version++
		s.pods.objects[uint32(p)] = record{version: s.version, id: uint32(p), node: int32(node), form: s.formFor(ask, phase, true)}
	}
	s.nodes.trimmed, s.pods.trimmed = s.version, s.version
	return s
}

// formFor gives the number of the template for such pods, made at first use.
func (s *store) formFor(ask shape.Ask, phase corev1.PodPhase, bound bool) uint16 {
	key := podForm{ask, phase, bound}
	if n, ok := s.forms[key]; ok {
		return n
	}
	id := shape.Identity{Name: tokens[holeName], Namespace: tokens[holeNamespace], UID: tokens[holeUID],
		Owner: tokens[holeOwner], Version: tokens[holeVersion]}
	if bound {
		id.Node = tokens[holeNode]
	}
	n := uint16(len(s.pods.forms))
	s.pods.forms, s.pods.phases = append(s.pods.forms, formOf(shape.Stored(id, ask, phase))), append(s.pods.phases, phase)
	s.forms[key] = n
	return n
}

// apply records one change and wakes the watchers.
func (s *store) apply(c *collection, kind string, r record) {
	s.version++
	r.version = s.version
	e := event{record: r, kind: kind, before: -1}
	if old, ok := c.objects[r.id]; ok {
		e.before, e.beforeN = int32(old.form), old.node
	}
	if kind == "DELETED" {
		delete(c.objects, r.id)
	} else {
		c.objects[r.id] = r
	}
	if len(c.history) >= 2*historyKept {
		c.trimmed = c.history[len(c.history)-historyKept-1].version
		c.history = append(c.history[:0:0], c.history[len(c.history)-historyKept:]...)
	}
	c.history = append(c.history, e)
	close(s.changed)
	s.changed = make(chan struct{})
}

// snapshot copies what the selector admits, in a stable order, with the version it belongs to.
func (s *store) snapshot(c *collection, admits func(form, node int32) bool) ([]record, uint64) {
	s.mu.Lock()
	list := make([]record, 0, len(c.objects))
	for _, r := range c.objects {
		if admits(int32(r.form), r.node) {
			list = append(list, r)
		}
	}
	version := s.version
	s.mu.Unlock()
	sort.Slice(list, func(i, j int) bool { return list[i].id < list[j].id })
	return list, version
}

// since gives the events after the version, the version reached, and the channel that the next event closes; ok is
// false when the history no longer goes back that far.
func (s *store) since(c *collection, version uint64) (events []event, reached uint64, more chan struct{}, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if version < c.trimmed {
		return nil, 0, nil, false
	}
	from := sort.Search(len(c.history), func(i int) bool { return c.history[i].version > version })
	return append([]event(nil), c.history[from:]...), s.version, s.changed, true
}

// names fills the holes of an object; pod ids and node ids of one number have different uids.
func (c *collection) names(r record) *values {
	v := &values{holeVersion: strconv.AppendUint(nil, r.version, 10), holeUID: uid(c.kind[0], r.id), holeOwner: uid('J', r.id)}
	if c.kind == "Node" {
		v[holeNode] = nodeName(r.id)
		return v
	}
	v[holeName], v[holeNamespace] = fmt.Appendf(nil, "job-%08d", r.id), fmt.Appendf(nil, "team-%03d", r.id%200)
	if r.node >= 0 {
		v[holeNode] = nodeName(uint32(r.node))
	}
	return v
}

func nodeName(n uint32) []byte { return fmt.Appendf(nil, "node-%06d", n) }

// uid spreads kind and number over 36 characters in the form of a random UUID.
func uid(kind byte, n uint32) []byte {
	x := (uint64(kind)<<32 | uint64(n)) * 0x9E3779B97F4A7C15
	y := (x ^ x>>29) * 0xBF58476D1CE4E5B9
	var raw [16]byte
	for i := range 8 {
		raw[i], raw[8+i] = byte(x>>(8*i)), byte(y>>(8*i))
	}
	raw[6], raw[8] = raw[6]&0x0f|0x40, raw[8]&0x3f|0x80
	out := make([]byte, 36)
	hex.Encode(out[0:8], raw[0:4])
	hex.Encode(out[9:13], raw[4:6])
	hex.Encode(out[14:18], raw[6:8])
	hex.Encode(out[19:23], raw[8:10])
	hex.Encode(out[24:36], raw[10:16])
	out[8], out[13], out[18], out[23] = '-', '-', '-', '-'
	return out
}
