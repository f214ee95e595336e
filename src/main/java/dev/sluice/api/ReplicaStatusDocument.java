package dev.sluice.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.admission.request.Policy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code /api/v1/status}: what one replica says about itself. The file {@code src/docs/status.md}
 * documents it. New fields may be added, but no field is removed.
 */
public record ReplicaStatusDocument(
        String version,

        @JsonPropertyDescription("The name of the pod, or that of the host outside of a cluster.")
        String replica,

        Instant time,
        boolean ready,

        @JsonPropertyDescription("The answer of /readyz.") String readiness,

        Policy.Mode mode,
        PolicyStatus policy,

        @JsonPropertyDescription("Whether this replica makes decisions itself. In availability mode one replica does.")
        boolean decides,

        @JsonPropertyDescription("Who decides and who is in sync. It is missing in allocatable mode.") @Nullable
        SharingStatus sharing,

        List<WatchStatus> watches,

        @JsonPropertyDescription("What the webhook port serves. It is missing if the certificate never changes.")
        @Nullable
        ServedCertificate certificate,

        @JsonPropertyDescription("The rights that the configuration needs. It is empty without an API server.")
        List<RightStatus> rights) {

    public ReplicaStatusDocument {
        watches = List.copyOf(watches);
        rights = List.copyOf(rights);
    }

    public record PolicyStatus(
            @JsonPropertyDescription("1 at the start, and one more after each change that this replica has seen.")
            long generation,

            @JsonPropertyDescription("Equal policies and rules of injection have equal digests at all replicas.")
            String sha256,

            @JsonPropertyDescription("enforce or observe, or mixed if both hold for some namespaces")
            String enforcement,

            @JsonPropertyDescription("Why the files cannot be used that have changed since; the first five reasons.")
            List<String> refused) {}

    public record SharingStatus(
            String self, @Nullable String holder, List<String> inSync, long term, int reservations) {}

    public record WatchStatus(
            @JsonPropertyDescription("nodes or pods") String kind,
            boolean listed,

            @JsonPropertyDescription("The account may not list these objects, and no decision needs them.")
            boolean withheld,

            @JsonPropertyDescription("Everything older is known. It is missing before the first proof.") @Nullable
            Long ageSeconds,

            @JsonPropertyDescription("What is older is not used for decisions by what is free.") @Nullable
            Long limitSeconds,

            @Nullable String problem) {}

    public record ServedCertificate(
            Instant notBefore,
            Instant notAfter,

            @JsonPropertyDescription("The chain in PEM, as clients of the webhook port get it.")
            String chain,

            @JsonPropertyDescription("Why a newer certificate cannot be used.")
            List<String> problems) {}

    public record RightStatus(
            @JsonPropertyDescription("such as list pods") String right,
            String neededFor,
            String grantedBy,

            @JsonPropertyDescription("It is missing if the API server did not answer.") @Nullable
            Boolean allowed,

            @Nullable String problem) {}

    public ApiAnswer answer() {
        return ApiAnswer.of(this);
    }

    /** Returns the version from the manifest of the jar, or "unknown" if the program runs from class files. */
    public static String ownVersion() {
        return Optional.ofNullable(ReplicaStatusDocument.class.getPackage().getImplementationVersion())
                .orElse("unknown");
    }
}
