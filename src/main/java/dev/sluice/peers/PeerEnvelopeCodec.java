package dev.sluice.peers;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicationEnvelope;
import java.io.IOException;
import java.io.Serial;

/**
 * Encodes and decodes the messages between replicas as JSON. Replicas of different releases exchange these messages
 * during a rollout, so the meaning of a field never changes within a version of the protocol, and unknown fields are
 * ignored. A new kind of message requires a new version, and so does a new constant of an enum such as {@code Reason}.
 */
final class PeerEnvelopeCodec {

    /**
     * The maximum size of a message in bytes. An entry for one pod takes less than 800 KiB: the constraints of the pod
     * take at most 128 KiB in memory, and a character takes up to six bytes in JSON.
     */
    static final int MOST_BYTES = 1024 * 1024;

    private static final int DEEPEST = 32;
    private static final int LONGEST_NUMBER = 20;
    private static final int LONGEST_FIELD = 64;

    /**
     * Characters outside of ASCII are written as escapes. A pod may contain half of a surrogate pair, which has no form
     * in UTF-8. With escapes, the text arrives as it was.
     */
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxNumberLength(LONGEST_NUMBER)
                    .maxNameLength(LONGEST_FIELD)
                    .maxStringLength(MOST_BYTES)
                    .build())
            .build();

    private PeerEnvelopeCodec() {}

    /**
     * Signals that a message is not valid. Its text is the rest of a sentence that begins with the name of the sender.
     */
    static final class UnusableMessageException extends Exception {
        @Serial
        private static final long serialVersionUID = 1L;

        UnusableMessageException(String message) {
            super(message);
        }
    }

    static byte[] encode(ReplicationEnvelope<ReplicatedDecision> envelope) {
        return PeerEnvelopeEncoder.encode(envelope, JSON);
    }

    /**
     * Decodes a message. The body is ignored if the message has a later version than this program, or an unknown kind.
     * The result then has a version that this program does not understand, so that the sender is asked for an earlier
     * version.
     */
    static ReplicationEnvelope<ReplicatedDecision> decode(byte[] json) throws UnusableMessageException {
        if (json.length > MOST_BYTES) {
            throw new UnusableMessageException("sent a message of more than " + MOST_BYTES + " bytes");
        }
        try {
            return new PeerEnvelopeDecoder(JSON.createParser(json)).decode();
        } catch (IOException _) {
            // The message of the caught exception is not included, because it quotes the received text.
            throw new UnusableMessageException("sent a message that is not valid JSON");
        }
    }
}
