package dev.sluice.kube.facts;

import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodFacts.Message;
import dev.sluice.doctor.facts.PodGpuDemand;
import org.jspecify.annotations.Nullable;

/** Reads ReplicaSets, Jobs, StatefulSets and DaemonSets. */
final class OwnerReader {

    private final DemandReader asks;

    public OwnerReader(DemandReader asks) {
        this.asks = asks;
    }

    public OwnerFacts read(String kind, Fields item) throws MalformedItem {
        Fields metadata = item.object("metadata");
        Fields spec = item.object("spec");
        Fields status = item.object("status");
        Fields template = spec.object("template");
        PodGpuDemand ask = asks.read(
                metadata.text("namespace"), template.object("metadata"), template.object("spec"), Fields.NONE);
        boolean deleted = metadata.has("deletionTimestamp");
        return new OwnerFacts(
                kind,
                metadata.text("name"),
                metadata.text("uid"),
                deleted ? 0 : wanted(kind, spec, status),
                reported(kind, status),
                kind.equals("StatefulSet") && !spec.text("podManagementPolicy").equals("Parallel"),
                ask,
                failure(status));
    }

    private static long wanted(String kind, Fields spec, Fields status) throws MalformedItem {
        return switch (kind) {
            case "Job" -> wantedOfJob(spec, status);
            case "DaemonSet" -> status.number("desiredNumberScheduled", 0);
            default -> spec.number("replicas", 1);
        };
    }

    /** A job without {@code completions} is done once one of its pods has succeeded. */
    private static long wantedOfJob(Fields spec, Fields status) throws MalformedItem {
        boolean over = isTrue(status, "Complete") || isTrue(status, "Failed") || spec.truth("suspend");
        long parallel = spec.number("parallelism", 1);
        long succeeded = status.number("succeeded", 0);
        long left = spec.has("completions")
                ? spec.number("completions", 1) - succeeded
                : spec.has("parallelism") ? (succeeded > 0 ? 0 : parallel) : 1 - succeeded;
        return over ? 0 : Math.max(0, Math.min(parallel, left));
    }

    private static boolean isTrue(Fields status, String condition) throws MalformedItem {
        return PodReader.condition(status, condition).text("status").equals("True");
    }

    private static long reported(String kind, Fields status) throws MalformedItem {
        return switch (kind) {
            case "Job" -> status.number("active", 0);
            case "DaemonSet" -> status.number("currentNumberScheduled", 0);
            default -> status.number("replicas", 0);
        };
    }

    @Nullable
    private static Message failure(Fields status) throws MalformedItem {
        Fields condition = PodReader.condition(status, "ReplicaFailure");
        return condition.text("status").equals("True")
                        && !condition.text("message").isEmpty()
                ? new Message(condition.text("reason"), condition.text("message"), condition.time("lastTransitionTime"))
                : null;
    }
}
