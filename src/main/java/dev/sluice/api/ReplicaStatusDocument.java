package dev.sluice.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.admission.request.Policy;
import dev.sluice.metrics.MetricValue.Distribution;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        List<RightStatus> rights,

        LedgerStatus ledger,

        @JsonPropertyDescription("How long the decisions of this replica took since its start.")
        LatencyStatus latency) {

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
            List<String> refused,

            @JsonPropertyDescription("The entries of policy.namespaces, which are names and patterns of namespaces.")
            List<String> namespaces) {

        /** The value for a policy that is enforced in some namespaces and only observes in others. */
        public static final String MIXED = "mixed";
    }

    public record SharingStatus(
            String self,
            @Nullable String holder,
            List<String> inSync,
            long term,
            int reservations,

            @JsonPropertyDescription("At the holder, how many entries each replica has not acknowledged.")
            Map<String, Long> lag,

            @JsonPropertyDescription("How often this replica has taken over from another one.")
            long takeovers) {}

    public record LedgerStatus(
            long pods,

            @JsonPropertyDescription("The decisions whose pods were not seen yet.")
            long assumed,

            @JsonPropertyDescription("The pods and decisions for which no node has room now.")
            long unplaced,

            @JsonPropertyDescription("Those of them that were promised room.")
            long overcommitted,

            @JsonPropertyDescription("The differences between the ledger and the newest list. All must be 0.")
            AuditStatus audit) {}

    public record AuditStatus(long pods, long nodes, long places) {}

    public record LatencyStatus(
            @JsonPropertyDescription("The upper bounds of the buckets; the last one has none, and is null.")
            List<@Nullable Double> upperBoundsSeconds,

            @JsonPropertyDescription("The decisions in each bucket, without those in lower ones.")
            List<Long> counts,

            double sumSeconds) {

        public static LatencyStatus of(Distribution durations) {
            List<@Nullable Double> bounds = new ArrayList<>();
            durations.upperBounds().forEach(bound -> bounds.add(Double.isInfinite(bound) ? null : bound));
            return new LatencyStatus(bounds, durations.counts(), durations.sum());
        }
    }

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

    public DocumentResponse answer() {
        return DocumentResponse.of(this);
    }

    /** Returns the version from the manifest of the jar, or "unknown" if the program runs from class files. */
    public static String ownVersion() {
        return Optional.ofNullable(ReplicaStatusDocument.class.getPackage().getImplementationVersion())
                .orElse("unknown");
    }
}
