package dev.sluice.kube.facts;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.sluice.doctor.GpuComponent;
import dev.sluice.doctor.facts.PodFacts.Message;
import dev.sluice.doctor.facts.PodFacts.PodState;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A pod. Only the pods of GPU software keep their images, because a report tells their versions. */
record PodItem(String apiVersion, String kind, ItemMeta metadata, PodSpecItem spec, PodStatusItem status)
        implements ClusterItem {

    PodItem(
            String apiVersion,
            String kind,
            @Nullable ItemMeta metadata,
            @Nullable PodSpecItem spec,
            @Nullable PodStatusItem status) {
        this.apiVersion = apiVersion;
        this.kind = kind;
        this.metadata = metadata == null ? ItemMeta.NONE : metadata;
        PodSpecItem read = spec == null ? PodSpecItem.NONE : spec;
        this.spec = GpuComponent.of(this.metadata.name()).isPresent() ? read : read.withoutImages();
        this.status = status == null ? PodStatusItem.NONE : status;
    }

    record PodStatusItem(
            String phase,
            String reason,
            @JsonDeserialize(using = MessageReader.class) String message,
            String nominatedNodeName,
            List<ConditionItem> conditions,
            List<ContainerStatusItem> initContainerStatuses,
            List<ContainerStatusItem> containerStatuses,
            List<ClaimStatusItem> resourceClaimStatuses) {

        static final PodStatusItem NONE = new PodStatusItem("", "", "", "", List.of(), List.of(), List.of(), List.of());
    }

    record ContainerStatusItem(
            @Nullable ContainerStateItem state, @Nullable ContainerStateItem lastState) {

        private boolean endedWell() {
            return state != null
                    && state.terminated() != null
                    && state.terminated().exitCode() != null
                    && state.terminated().exitCode() == 0;
        }

        private String waitsFor() {
            return state == null || state.waiting() == null
                    ? ""
                    : state.waiting().reason();
        }
    }

    record ContainerStateItem(
            @Nullable WaitingItem waiting,
            @Nullable RunningItem running,
            @Nullable TerminatedItem terminated) {}

    record WaitingItem(String reason) {}

    record RunningItem(@Nullable TimeText startedAt) {}

    record TerminatedItem(
            @Nullable Long exitCode,
            @Nullable TimeText startedAt,
            @Nullable TimeText finishedAt) {}

    record ClaimStatusItem(String name, String resourceClaimName) {}

    /** The image of the first container; empty for the pods of users. */
    String image() {
        return spec.containers().isEmpty() ? "" : spec.containers().getFirst().image();
    }

    PodState state() {
        return new PodState(
                status.phase(),
                status.reason(),
                status.message(),
                ConditionItem.of(status.conditions(), "Ready").isTrue(),
                trouble(),
                !status.containerStatuses().isEmpty()
                        && status.containerStatuses().stream().allMatch(ContainerStatusItem::endedWell),
                metadata.isBeingDeleted(),
                metadata.finalizers());
    }

    private String trouble() {
        return Stream.of(status.initContainerStatuses(), status.containerStatuses())
                .flatMap(List::stream)
                .map(ContainerStatusItem::waitsFor)
                .filter(reason -> !reason.isEmpty() && !reason.equals("PodInitializing"))
                .findFirst()
                .orElse(status.reason());
    }

    /** Why the scheduler did not place the pod. A condition without a time is as old as the pod. */
    @Nullable
    Message unscheduled() {
        ConditionItem condition = ConditionItem.of(status.conditions(), "PodScheduled");
        boolean told = condition.status().equals("False")
                && !condition.reason().equals("SchedulingGated")
                && !condition.message().isEmpty();
        return told ? new Message(condition.reason(), condition.message(), time(condition)) : null;
    }

    @Nullable
    private Instant time(ConditionItem condition) {
        Instant probed = TimeText.parsed(condition.lastProbeTime());
        Instant changed = TimeText.parsed(condition.lastTransitionTime());
        Instant time = changed == null || (probed != null && probed.isAfter(changed)) ? probed : changed;
        return time == null ? TimeText.parsed(metadata.creationTimestamp()) : time;
    }
}
