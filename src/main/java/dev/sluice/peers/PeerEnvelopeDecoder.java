package dev.sluice.peers;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.json.JsonCursor;
import dev.sluice.json.JsonFieldSet;
import dev.sluice.ledger.placement.PlacementRequest;
import dev.sluice.peers.PeerEnvelopeCodec.UnusableMessageException;
import dev.sluice.replication.Member;
import dev.sluice.replication.Replica;
import dev.sluice.replication.ReplicaMessage;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicatedEntry;
import dev.sluice.replication.ReplicationEnvelope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a message between replicas. The whole message is refused if a known field is missing or has a value of the
 * wrong type, because a reservation that is only partly understood would be wrong.
 */
final class PeerEnvelopeDecoder {

    /** The fields that every version of the protocol has. */
    private static final List<String> HEAD = List.of("version", "speaks", "cluster", "from", "kind");

    private static final List<String> FIELDS = List.of(
            "version", "speaks", "cluster", "from", "kind", "term", "after", "upTo", "settled", "inSync", "current",
            "entries");
    private static final List<String> MEMBER = List.of("identity", "address");
    private static final List<String> ENTRY =
            List.of("term", "stamp", "uid", "podName", "pod", "outcome", "reason", "placement", "preempted");
    private static final List<String> NEEDED_OF_ENTRY = ENTRY.subList(0, ENTRY.indexOf("preempted"));

    private static final int LONGEST_IDENTITY = 512;
    private static final int LONGEST_ADDRESS = 300;

    private final JsonParser parser;
    private final PeerMessageFields json;
    private final JsonCursor cursor;

    private int version;
    private int speaks;
    private String cluster = "";
    private Member from = new Member("", "");
    private String kind = "";
    private long term;
    private long after;
    private long upTo;
    private long settled;
    private boolean inSync;
    private boolean current;
    private final List<ReplicatedEntry<ReplicatedDecision>> entries = new ArrayList<>();

    PeerEnvelopeDecoder(JsonParser parser) {
        this.parser = parser;
        this.cursor = new JsonCursor(parser);
        this.json = new PeerMessageFields(cursor);
    }

    ReplicationEnvelope<ReplicatedDecision> decode() throws IOException, UnusableMessageException {
        parser.nextToken();
        JsonFieldSet fields = new JsonFieldSet(cursor, "the field ", FIELDS);
        cursor.object("the message", field -> {
            if (isUnderstood(field, fields) && fields.isToBeRead(field)) {
                read(field);
            }
        });
        json.demand("the message", fields, HEAD);
        if (parser.nextToken() != null) {
            cursor.report("something follows the message");
        }
        Optional<PeerMessageKind> known = PeerMessageKind.of(kind);
        boolean later = version > Replica.VERSION || known.isEmpty();
        if (!later) {
            json.demand("the message", fields, needed(known.get()));
            checkPositions();
        }
        refuseProblems();
        return new ReplicationEnvelope<>(
                later ? Math.max(version, Replica.VERSION + 1) : version,
                speaks,
                cluster,
                from,
                later ? new ReplicaMessage.JoinRequest<>() : message(known.get()));
    }

    private void refuseProblems() throws UnusableMessageException {
        Optional<String> problem = cursor.problem();
        if (problem.isPresent()) {
            throw new UnusableMessageException("sent a message that cannot be used: " + problem.get());
        }
    }

    /**
     * Returns true if this program understands the field. Otherwise skips the field and returns false. In a message of
     * a later version, only the fields of the head are understood, so the version must be the first field.
     */
    private boolean isUnderstood(String field, JsonFieldSet fields) throws IOException {
        if (!field.equals("version") && !fields.has("version")) {
            cursor.report("the version is not the first field");
        }
        if (version > Replica.VERSION && !HEAD.contains(field)) {
            cursor.skip();
            return false;
        }
        return true;
    }

    private void read(String field) throws IOException {
        switch (field) {
            case "version" -> version = json.count(field);
            case "speaks" -> speaks = json.count(field);
            case "cluster" -> cluster = json.text(field);
            case "from" -> from = member();
            case "kind" -> kind = json.text(field);
            case "term" -> term = json.number(field);
            case "after" -> after = json.number(field);
            case "upTo" -> upTo = json.number(field);
            case "settled" -> settled = json.number(field);
            case "inSync" -> inSync = json.truth(field);
            case "current" -> current = json.truth(field);
            default ->
                cursor.array(field, () -> {
                    ReplicatedEntry<ReplicatedDecision> entry = entry();
                    if (entry != null) {
                        entries.add(entry);
                    }
                });
        }
    }

    private static List<String> needed(PeerMessageKind kind) {
        return switch (kind) {
            case ENTRIES -> List.of("term", "after", "upTo", "inSync", "entries");
            case ACKNOWLEDGEMENT -> List.of("term", "upTo", "settled", "inSync", "current");
            case REFUSAL, HANDOVER -> List.of("term");
            case JOIN -> List.of();
        };
    }

    private void checkPositions() {
        if (version < 1 || speaks < 1) {
            cursor.report("a version is less than 1");
        }
        if (term < 0 || after < -1 || upTo < -1 || settled < -1) {
            cursor.report("a term or a position is negative");
        }
    }

    private ReplicaMessage<ReplicatedDecision> message(PeerMessageKind known) {
        return switch (known) {
            case ENTRIES -> new ReplicaMessage.EntryBatch<>(term, after, upTo, entries, inSync);
            case ACKNOWLEDGEMENT -> new ReplicaMessage.Acknowledgement<>(term, upTo, settled, inSync, current);
            case REFUSAL -> new ReplicaMessage.TermRefusal<>(term);
            case JOIN -> new ReplicaMessage.JoinRequest<>();
            case HANDOVER -> new ReplicaMessage.HandoverNotice<>(term);
        };
    }

    private Member member() throws IOException {
        String[] texts = {"", ""};
        JsonFieldSet fields = new JsonFieldSet(cursor, "from.", MEMBER);
        cursor.object("from", field -> {
            if (fields.isToBeRead(field)) {
                texts[MEMBER.indexOf(field)] = json.text(field);
            }
        });
        json.demand("from", fields, MEMBER);
        if (texts[0].isEmpty() || texts[0].length() > LONGEST_IDENTITY || texts[1].length() > LONGEST_ADDRESS) {
            cursor.report("the identity or the address of the sender is not plausible");
        }
        return new Member(texts[0], texts[1]);
    }

    /** Reads an entry (one replicated decision). If it cannot be used, reports a problem and returns null. */
    private @Nullable ReplicatedEntry<ReplicatedDecision> entry() throws IOException {
        EntryFields entry = new EntryFields();
        JsonFieldSet fields = new JsonFieldSet(cursor, "the entry's ", ENTRY);
        cursor.object("an entry", field -> {
            if (fields.isToBeRead(field)) {
                entryField(field, entry);
            }
        });
        json.demand("an entry", fields, NEEDED_OF_ENTRY);
        PlacementRequest placement = entry.placement;
        Verdict.Outcome outcome = entry.outcome;
        Reason reason = entry.reason;
        if (placement == null || outcome == null || reason == null) {
            cursor.report("an entry is not complete");
            return null;
        }
        return new ReplicatedEntry<>(
                entry.term,
                entry.stamp,
                entry.uid,
                new ReplicatedDecision(placement, entry.podName, entry.pod, outcome, reason, entry.preempted));
    }

    private void entryField(String field, EntryFields entry) throws IOException {
        switch (field) {
            case "term" -> entry.term = json.number(field);
            case "stamp" -> entry.stamp = json.text(field);
            case "uid" -> entry.uid = json.text(field);
            case "podName" -> entry.podName = json.text(field);
            case "pod" -> entry.pod = cursor.integer(field);
            case "outcome" -> entry.outcome = json.word(field, Verdict.Outcome.values(), Verdict.Outcome::word);
            case "reason" -> entry.reason = json.word(field, Reason.values(), Reason::word);
            case "placement" -> entry.placement = new PeerPlacementDecoder(cursor).placement();
            default -> entry.preempted = json.texts(field);
        }
    }

    /** The fields of an entry that have been read so far. */
    private static final class EntryFields {
        private long term;
        private String stamp = "";
        private String uid = "";
        private String podName = "";
        private int pod;
        private Verdict.@Nullable Outcome outcome;
        private @Nullable Reason reason;
        private @Nullable PlacementRequest placement;
        private List<String> preempted = List.of();
    }
}
