package dev.sluice.peers;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The kinds of messages of the replication protocol. Their words are part of the protocol and never change. */
enum PeerMessageKind {
    ENTRIES,
    ACKNOWLEDGEMENT,
    REFUSAL,
    JOIN,
    HANDOVER;

    private final String word = name().toLowerCase(Locale.ROOT);

    String word() {
        return word;
    }

    static Optional<PeerMessageKind> of(String word) {
        return Stream.of(values()).filter(kind -> kind.word.equals(word)).findFirst();
    }
}
