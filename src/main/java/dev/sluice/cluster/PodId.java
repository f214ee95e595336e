package dev.sluice.cluster;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** A pod's uid in 16 bytes, because a cluster has a hundred thousand pods. */
public record PodId(long high, long low) {

    private static final int UUID_LENGTH = 36;

    /** The API server assigns UUIDs; other texts, which static pods have had, are hashed to one. */
    public static PodId of(String uid) {
        if (uid.length() == UUID_LENGTH) {
            try {
                return of(UUID.fromString(uid));
            } catch (IllegalArgumentException other) {
                // Hashed below.
            }
        }
        return of(UUID.nameUUIDFromBytes(uid.getBytes(StandardCharsets.UTF_8)));
    }

    private static PodId of(UUID uuid) {
        return new PodId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }
}
