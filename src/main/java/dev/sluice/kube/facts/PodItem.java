package dev.sluice.kube.facts;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.sluice.doctor.GpuComponent;
import dev.sluice.doctor.facts.PodFacts.Message;
import dev.sluice.doctor.facts.PodFacts.PodStart;
import dev.sluice.doctor.facts.PodFacts.PodState;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a Pod that a diagnosis needs. Image names are kept only for pods of GPU software, because a report
 * shows the versions of that software.
 */
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
        this.spec = read.withImagesIf(image -> GpuComponent.isTold(this.metadata.name(), image));
        this.status = status == null ? PodStatusItem.NONE : status;
    }

    record PodStatusItem(
            String phase,
            String reason,

            @JsonDeserialize(using = FactMessageReader.class)
            String message,

            String nominatedNodeName,
            List<ConditionItem> conditions,
            List<ContainerStatusItem> initContainerStatuses,
            List<ContainerStatusItem> containerStatuses,
            List<ClaimStatusItem> resourceClaimStatuses) {

        static final PodStatusItem NONE = new PodStatusItem("", "", "", "", List.of(), List.of(), List.of(), List.of());
    }

    record ContainerStatusItem(
            String name,
            @Nullable Long restartCount,
            @Nullable ContainerStateItem state,
            @Nullable ContainerStateItem lastState) {

        private boolean endedWell() {
            return state != null
                    && state.terminated() != null
                    && state.terminated().exitCode() != null
                    && state.terminated().exitCode() == 0;
        }

        private boolean hasEnded() {
            return state != null && state.terminated() != null;
        }

        private boolean runs() {
            return state != null && state.running() != null;
        }

        private WaitingItem waiting() {
            return state == null || state.waiting() == null ? WaitingItem.NONE : state.waiting();
        }

        /** Describes how the previous run of the container ended, for example {@code exit code 137 (OOMKilled)}. */
        private String lastEnd() {
            return end(lastState == null ? null : lastState.terminated());
        }

        /** Describes the end of a container that has failed or was killed; empty for other containers. */
        private String badEnd() {
            TerminatedItem end = state == null ? null : state.terminated();
            boolean well = end == null
                    || (endedWell() && (end.reason().isEmpty() || end.reason().equals("Completed")));
            return well ? "" : end(end);
        }

        private static String end(@Nullable TerminatedItem end) {
            return end == null || end.exitCode() == null
                    ? ""
                    : "exit code " + end.exitCode()
                            + (end.reason().isEmpty() || end.reason().equals("Error") ? "" : " (" + end.reason() + ")");
        }

        /**
         * Returns true if the runtime could not start the container, or if the container waits for something other than
         * the init containers.
         */
        private boolean isTrouble() {
            return (!waiting().reason().isEmpty() && !waiting().reason().equals("PodInitializing"))
                    || failedStart().isPresent();
        }

        /** Returns the end of a container that the runtime could not start; empty for other containers. */
        private Optional<TerminatedItem> failedStart() {
            return Optional.ofNullable(state == null ? null : state.terminated())
                    .filter(TerminatedItem::isOfStart);
        }

        private String reason() {
            return failedStart()
                    .map(TerminatedItem::reason)
                    .orElseGet(() -> waiting().reason());
        }

        private String message() {
            return failedStart()
                    .map(TerminatedItem::message)
                    .orElseGet(() -> waiting().message());
        }
    }

    record ContainerStateItem(
            @Nullable WaitingItem waiting,
            @Nullable RunningItem running,
            @Nullable TerminatedItem terminated) {}

    /** The state of a waiting container, with the reason and message of the kubelet. */
    record WaitingItem(
            String reason,

            @JsonDeserialize(using = FactMessageReader.class)
            String message) {

        private static final WaitingItem NONE = new WaitingItem("", "");
    }

    record RunningItem(@Nullable FactTimeText startedAt) {}

    /**
     * The end of a container. Its message is kept only if the runtime could not start the container. Any other message
     * is written by the program in the container, and may contain a secret.
     */
    record TerminatedItem(
            @Nullable Long exitCode,
            String reason,

            @JsonDeserialize(using = FactMessageReader.class)
            String message,

            @Nullable FactTimeText startedAt,
            @Nullable FactTimeText finishedAt) {

        TerminatedItem {
            message = PodState.NEVER_STARTED.contains(reason) ? message : "";
        }

        private boolean isOfStart() {
            return PodState.NEVER_STARTED.contains(reason);
        }
    }

    record ClaimStatusItem(String name, String resourceClaimName) {}

    /** Returns the image of the first container; empty for the pods of users, whose images are not kept. */
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
                metadata.endsBy(),
                metadata.finalizers(),
                start());
    }

    private String trouble() {
        return Stream.of(status.initContainerStatuses(), status.containerStatuses())
                .flatMap(List::stream)
                .filter(ContainerStatusItem::isTrouble)
                .map(ContainerStatusItem::reason)
                .findFirst()
                .orElseGet(() -> status.reason().isEmpty()
                        ? unfinished().or(this::lingering).orElseGet(() -> isUnseen() ? PodState.UNSEEN : "")
                        : status.reason());
    }

    /**
     * Returns true if the kubelet has not reported anything about the pod: no container, and no condition Ready, which
     * only the kubelet sets.
     */
    private boolean isUnseen() {
        return !spec.nodeName().isEmpty()
                && status.phase().equals("Pending")
                && status.conditions().stream()
                        .noneMatch(condition -> condition.type().equals("Ready"))
                && status.initContainerStatuses().isEmpty()
                && status.containerStatuses().isEmpty();
    }

    /**
     * Describes a pod that still runs although its containers with GPUs have ended; empty for other pods. Another
     * container keeps the pod running, for example the proxy of a service mesh.
     */
    private Optional<String> lingering() {
        Set<String> withGpus = spec.containers().stream()
                .filter(PodSpecItem.ContainerItem::asksForGpus)
                .map(PodSpecItem.ContainerItem::name)
                .collect(Collectors.toSet());
        List<ContainerStatusItem> users = status.containerStatuses().stream()
                .filter(container -> withGpus.contains(container.name()))
                .toList();
        boolean over = !users.isEmpty()
                && users.size() == withGpus.size()
                && users.stream().allMatch(it -> it.hasEnded() && spec.isOver(it.endedWell()));
        return status.containerStatuses().stream()
                .filter(container -> over && container.runs())
                .map(container -> PodState.LINGERS + container.name())
                .findFirst();
    }

    /**
     * Describes the init container for which the main containers wait; empty if they do not wait. It is the last init
     * container that runs, because the earlier ones are sidecars. If no init container runs, it is the first one that
     * has failed.
     */
    private Optional<String> unfinished() {
        boolean waits = status.phase().equals("Pending")
                && status.containerStatuses().stream()
                        .anyMatch(container -> container.waiting().reason().equals("PodInitializing"));
        return status.initContainerStatuses().stream()
                .filter(container -> waits && container.runs())
                .map(container -> "init container " + container.name() + " has not ended")
                .reduce((_, later) -> later)
                .or(() -> status.initContainerStatuses().stream()
                        .filter(container -> waits && !container.badEnd().isEmpty())
                        .map(container ->
                                PodState.INIT_ENDED + container.name() + " has ended with " + container.badEnd())
                        .findFirst());
    }

    private PodStart start() {
        ConditionItem scheduled = ConditionItem.of(status.conditions(), "PodScheduled");
        // A pod that is created with spec.nodeName is bound from the beginning. Its kubelet sets the condition
        // PodScheduled later. Until then, the creation time is used.
        Instant bound = scheduled.isTrue()
                ? FactTimeText.parsed(scheduled.lastTransitionTime())
                : isUnseen() ? FactTimeText.parsed(metadata.creationTimestamp()) : null;
        return start(bound, "init container ", status.initContainerStatuses())
                .or(() -> start(bound, "container ", status.containerStatuses()))
                .orElseGet(() -> new PodStart(bound, failed(), "", "", "", 0));
    }

    private Optional<PodStart> start(@Nullable Instant bound, String title, List<ContainerStatusItem> containers) {
        return containers.stream()
                .filter(ContainerStatusItem::isTrouble)
                .findFirst()
                .map(container -> new PodStart(
                        bound,
                        failed(),
                        title + container.name(),
                        container.message(),
                        container.lastEnd(),
                        container.restartCount() == null ? 0 : container.restartCount()));
    }

    /**
     * Returns the time when the pod failed; null if it has not failed or the time is unknown. It is the newest time of
     * a condition, because the kubelet updates the conditions when a pod fails.
     */
    private @Nullable Instant failed() {
        return status.phase().equals("Failed")
                ? status.conditions().stream()
                        .flatMap(condition -> Stream.ofNullable(FactTimeText.parsed(condition.lastTransitionTime())))
                        .max(Comparator.naturalOrder())
                        .orElse(null)
                : null;
    }

    /**
     * Returns the reason why the scheduler did not place the pod; null if it gave none. If the condition PodScheduled
     * has no time, the creation time of the pod is used.
     */
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
        Instant probed = FactTimeText.parsed(condition.lastProbeTime());
        Instant changed = FactTimeText.parsed(condition.lastTransitionTime());
        Instant time = changed == null || (probed != null && probed.isAfter(changed)) ? probed : changed;
        return time == null ? FactTimeText.parsed(metadata.creationTimestamp()) : time;
    }
}
