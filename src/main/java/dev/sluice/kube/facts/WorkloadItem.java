package dev.sluice.kube.facts;

import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodDemandFacts;
import dev.sluice.doctor.facts.PodFacts.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of a ReplicaSet, Job, StatefulSet or DaemonSet that a diagnosis needs. */
record WorkloadItem(String apiVersion, String kind, ItemMeta metadata, WorkloadSpecItem spec, WorkloadStatusItem status)
        implements ClusterItem {

    WorkloadItem(
            String apiVersion,
            String kind,
            @Nullable ItemMeta metadata,
            @Nullable WorkloadSpecItem spec,
            @Nullable WorkloadStatusItem status) {
        this.apiVersion = apiVersion;
        this.kind = kind;
        this.metadata = metadata == null ? ItemMeta.NONE : metadata;
        this.spec = spec == null ? WorkloadSpecItem.NONE : spec;
        this.status = status == null ? WorkloadStatusItem.NONE : status;
    }

    record WorkloadSpecItem(
            @Nullable Long replicas,
            String podManagementPolicy,
            @Nullable Long parallelism,
            @Nullable Long completions,
            boolean suspend,
            TemplateItem template) {

        private static final WorkloadSpecItem NONE =
                new WorkloadSpecItem(null, "", null, null, /* suspend= */ false, TemplateItem.NONE);

        WorkloadSpecItem(
                @Nullable Long replicas,
                String podManagementPolicy,
                @Nullable Long parallelism,
                @Nullable Long completions,
                boolean suspend,
                @Nullable TemplateItem template) {
            this.replicas = replicas;
            this.podManagementPolicy = podManagementPolicy;
            this.parallelism = parallelism;
            this.completions = completions;
            this.suspend = suspend;
            this.template = template == null ? TemplateItem.NONE : template;
        }
    }

    record TemplateItem(ItemMeta metadata, PodSpecItem spec) {

        private static final TemplateItem NONE = new TemplateItem(null, null);

        TemplateItem(@Nullable ItemMeta metadata, @Nullable PodSpecItem spec) {
            this.metadata = metadata == null ? ItemMeta.NONE : metadata;
            this.spec = spec == null ? PodSpecItem.NONE : spec.withImagesIf(_ -> false);
        }
    }

    record WorkloadStatusItem(
            long replicas,
            long active,
            long succeeded,
            long desiredNumberScheduled,
            long currentNumberScheduled,
            List<ConditionItem> conditions) {

        private static final WorkloadStatusItem NONE = new WorkloadStatusItem(0, 0, 0, 0, 0, List.of());
    }

    /**
     * Returns the facts about this owner of pods.
     *
     * @param demand the resources and constraints in the pod template
     */
    OwnerFacts facts(PodDemandFacts demand) {
        return new OwnerFacts(
                kind,
                metadata.name(),
                metadata.uid(),
                metadata.isBeingDeleted() ? 0 : wanted(),
                reported(),
                kind.equals("StatefulSet") && !spec.podManagementPolicy().equals("Parallel"),
                kind.equals("Job") && spec.suspend() && !isOver() && !metadata.isBeingDeleted(),
                metadata.labels().getOrDefault(OwnerFacts.QUEUE_LABEL, ""),
                demand,
                failure());
    }

    private long wanted() {
        return switch (kind) {
            case "Job" -> wantedOfJob();
            case "DaemonSet" -> status.desiredNumberScheduled();
            default -> spec.replicas() == null ? 1 : spec.replicas();
        };
    }

    /**
     * Returns the number of pods that the Job still has to run at the same time. For a Job without {@code completions},
     * this is 0 as soon as one of its pods has succeeded.
     */
    private long wantedOfJob() {
        long parallel = spec.parallelism() == null ? 1 : spec.parallelism();
        long succeeded = status.succeeded();
        long left = spec.completions() != null
                ? spec.completions() - succeeded
                : spec.parallelism() != null ? (succeeded > 0 ? 0 : parallel) : 1 - succeeded;
        return isOver() || spec.suspend() ? 0 : Math.max(0, Math.min(parallel, left));
    }

    private boolean isOver() {
        return hasCondition("Complete") || hasCondition("Failed");
    }

    private boolean hasCondition(String type) {
        return ConditionItem.of(status.conditions(), type).isTrue();
    }

    private long reported() {
        return switch (kind) {
            case "Job" -> status.active();
            case "DaemonSet" -> status.currentNumberScheduled();
            default -> status.replicas();
        };
    }

    @Nullable
    private Message failure() {
        ConditionItem condition = ConditionItem.of(status.conditions(), "ReplicaFailure");
        return condition.isTrue() && !condition.message().isEmpty()
                ? new Message(
                        condition.reason(), condition.message(), FactTimeText.parsed(condition.lastTransitionTime()))
                : null;
    }
}
