package dev.sluice.kube.facts;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.facts.DraFacts;
import dev.sluice.doctor.facts.PodFacts.Message;
import dev.sluice.doctor.facts.QueuedWorkloadFacts;
import dev.sluice.kube.facts.PodSpecItem.ResourcesItem;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The fields of a Workload of Kueue that a diagnosis needs. */
record QueuedWorkloadItem(
        String apiVersion,
        String kind,
        ItemMeta metadata,
        @Nullable QueuedSpecItem spec,
        @Nullable QueuedStatusItem status)
        implements ClusterItem {

    /** A word in the reasons that Kueue gives if it will not queue a Workload again. */
    private static final String DEACTIVATED = "Deactivated";

    QueuedWorkloadItem {
        metadata = metadata == null ? ItemMeta.NONE : metadata;
    }

    record QueuedSpecItem(String queueName, @Nullable Boolean active, List<PodSetItem> podSets) {}

    record PodSetItem(@Nullable QueuedTemplateItem template) {

        private boolean asksForDevices() {
            PodSpecItem pod = template == null ? null : template.spec();
            return pod != null
                    && (!pod.resourceClaims().isEmpty()
                            || Stream.of(pod.initContainers(), pod.containers())
                                    .flatMap(List::stream)
                                    .map(PodSpecItem.ContainerItem::resources)
                                    .filter(Objects::nonNull)
                                    .anyMatch(PodSetItem::namesDevice));
        }

        private static boolean namesDevice(ResourcesItem resources) {
            return Stream.of(resources.requests(), resources.limits())
                    .filter(Objects::nonNull)
                    .flatMap(amounts -> amounts.keySet().stream())
                    .anyMatch(name -> DraFacts.isDevice(new ResourceName(name)));
        }
    }

    record QueuedTemplateItem(@Nullable PodSpecItem spec) {

        QueuedTemplateItem {
            spec = spec == null ? null : spec.withImagesIf(_ -> false);
        }
    }

    record QueuedStatusItem(List<ConditionItem> conditions, List<AdmissionCheckItem> admissionChecks) {}

    /**
     * The state of an admission check: a requirement that a queue has in addition to its quota, for example a
     * ProvisioningRequest.
     */
    record AdmissionCheckItem(
            String name,
            String state,

            @JsonDeserialize(using = FactMessageReader.class)
            String message) {

        private String text() {
            return "admission check " + name + " is " + state + (message.isEmpty() ? "" : ": " + message);
        }
    }

    QueuedWorkloadFacts facts() {
        return new QueuedWorkloadFacts(
                metadata.namespace(),
                metadata.name(),
                metadata.uid(),
                metadata.owner(),
                spec == null ? "" : spec.queueName(),
                spec != null && spec.podSets().stream().anyMatch(PodSetItem::asksForDevices),
                state());
    }

    private Optional<Message> state() {
        if (condition("Finished").isTrue() || metadata.isBeingDeleted()) {
            return Optional.empty();
        }
        if (spec != null && Objects.equals(spec.active(), false)) {
            ConditionItem evicted = condition("Evicted");
            return Optional.of(
                    evicted.isTrue() && evicted.reason().contains(DEACTIVATED)
                            ? message(evicted)
                            : new Message(DEACTIVATED, "spec.active is false", null));
        }
        ConditionItem admitted = condition("Admitted");
        ConditionItem reserved = condition("QuotaReserved");
        if (admitted.isTrue()) {
            return Optional.of(new Message("Admitted", admitted.message(), time(admitted)));
        }
        String checks = status == null
                ? ""
                : status.admissionChecks().stream()
                        .filter(check -> !check.state().equals("Ready"))
                        .map(AdmissionCheckItem::text)
                        .collect(Collectors.joining("; "));
        return reserved.isTrue() && !checks.isEmpty()
                ? Optional.of(new Message("QuotaReserved", checks, time(reserved)))
                : Optional.of(reserved)
                        .filter(condition -> !condition.status().isEmpty())
                        .map(QueuedWorkloadItem::message);
    }

    private ConditionItem condition(String type) {
        return ConditionItem.of(status == null ? List.of() : status.conditions(), type);
    }

    private static Message message(ConditionItem condition) {
        return new Message(condition.reason(), condition.message(), time(condition));
    }

    private static @Nullable Instant time(ConditionItem condition) {
        return FactTimeText.parsed(condition.lastTransitionTime());
    }
}
