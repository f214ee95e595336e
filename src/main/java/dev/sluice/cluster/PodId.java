package dev.sluice.cluster;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** The uid of a pod in 16 bytes. This form saves memory, because a cluster may have a hundred thousand pods. */
public record PodId(long high, long low) {

    private static final int UUID_LENGTH = 36;

    /** Returns the id for a uid. The API server assigns UUIDs. A static pod may have another text, which is hashed. */
    public static PodId of(String uid) {
        if (uid.length() == UUID_LENGTH) {
            try {
                return of(UUID.fromString(uid));
            } catch (IllegalArgumentException other) {
                // The text is not a UUID, so it is hashed below.
            }
        }
        return of(UUID.nameUUIDFromBytes(uid.getBytes(StandardCharsets.UTF_8)));
    }

    private static PodId of(UUID uuid) {
        return new PodId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }
}
