package dev.sluice.kube.facts;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.doctor.facts.DraFacts.DeviceRequestFacts;
import dev.sluice.kube.facts.AffinityItem.NodeSelectorItem;
import dev.sluice.kube.facts.PodSpecItem.TolerationItem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The fields of a ResourceClaim that a diagnosis needs. */
record ClaimItem(
        String apiVersion,
        String kind,
        ItemMeta metadata,
        @Nullable ClaimSpecItem spec,
        @Nullable AllocatedItem status) implements ClusterItem {

    ClaimItem {
        metadata = metadata == null ? ItemMeta.NONE : metadata;
    }

    record ClaimSpecItem(@Nullable ClaimDevicesItem devices) {}

    record ClaimDevicesItem(List<DeviceRequestItem> requests, List<ConstraintItem> constraints) {}

    /** A constraint of a claim: all its devices must have the same value of this attribute. */
    record ConstraintItem(String matchAttribute) {}

    /**
     * A request for devices. The name of the DeviceClass is in the request itself or, since v1beta2, in {@code exactly}
     * or in the entries of {@code firstAvailable}.
     */
    record DeviceRequestItem(
            String name,
            String deviceClassName,
            @Nullable ExactRequestItem exactly,
            List<ExactRequestItem> firstAvailable) {

        private Stream<DeviceRequestFacts> exact() {
            return Stream.ofNullable(exactly)
                    .filter(it -> !it.adminAccess())
                    .map(it -> new DeviceRequestFacts(
                            name,
                            it.deviceClassName(),
                            Math.max(1, it.count()),
                            it.allocationMode().equals("All"),
                            it.selectors().stream()
                                    .flatMap(selector -> Stream.ofNullable(selector.cel()))
                                    .map(CelItem::expression)
                                    .toList(),
                            it.tolerations().stream()
                                    .map(TolerationItem::toleration)
                                    .toList(),
                            it.leastCapacity()));
        }

        private Stream<String> classes() {
            return Stream.of(
                            Stream.of(deviceClassName),
                            Stream.ofNullable(exactly).map(ExactRequestItem::deviceClassName),
                            firstAvailable.stream().map(ExactRequestItem::deviceClassName))
                    .flatMap(names -> names)
                    .filter(name -> !name.isEmpty());
        }
    }

    record ExactRequestItem(
            String deviceClassName,
            long count,
            String allocationMode,
            boolean adminAccess,
            List<RequestSelectorItem> selectors,
            List<TolerationItem> tolerations,
            @Nullable CapacityItem capacity) {

        /**
         * Returns the capacities that a device must have at least. Capacities that are not valid quantities are left
         * out.
         */
        private Map<String, Quantity> leastCapacity() {
            Map<String, Quantity> least = new HashMap<>();
            if (capacity != null && capacity.requests() != null) {
                capacity.requests()
                        .forEach((name, amount) ->
                                Quantity.parse(amount).ifPresent(quantity -> least.put(name, quantity)));
            }
            return Map.copyOf(least);
        }
    }

    record CapacityItem(@FactQuantities @Nullable Map<String, String> requests) {}

    record RequestSelectorItem(@Nullable CelItem cel) {}

    record CelItem(String expression) {}

    record AllocatedItem(@Nullable AllocationItem allocation, List<ConsumerItem> reservedFor) {}

    record AllocationItem(
            @Nullable NodeSelectorItem nodeSelector,
            @Nullable AllocatedDevicesItem devices) {}

    record AllocatedDevicesItem(List<AllocatedDeviceItem> results) {}

    record AllocatedDeviceItem(
            String request,
            String driver,
            String pool,
            String device,
            boolean adminAccess,
            @Nullable String shareID,
            @Nullable JsonNode consumedCapacity) {}

    /** An object for which the claim is reserved: a pod, or an object that stands for several pods. */
    record ConsumerItem(String resource, String name) {
        private boolean isPod() {
            return resource.isEmpty() || resource.equals("pods");
        }
    }

    List<String> classes() {
        return spec == null || spec.devices() == null
                ? List.of()
                : spec.devices().requests().stream()
                        .flatMap(DeviceRequestItem::classes)
                        .toList();
    }

    /**
     * Returns the requests in {@code exactly} for devices of one class. Requests with admin access are not returned.
     */
    List<DeviceRequestFacts> requests() {
        return spec == null || spec.devices() == null
                ? List.of()
                : spec.devices().requests().stream()
                        .flatMap(DeviceRequestItem::exact)
                        .toList();
    }

    /** Returns the attributes in which the devices of the claim have to be equal. */
    List<String> equalAttributes() {
        return spec == null || spec.devices() == null
                ? List.of()
                : spec.devices().constraints().stream()
                        .map(ConstraintItem::matchAttribute)
                        .filter(name -> !name.isEmpty())
                        .toList();
    }

    /** Returns the names of the pods for which the claim is reserved. */
    List<String> users() {
        return status == null
                ? List.of()
                : status.reservedFor().stream()
                        .filter(ConsumerItem::isPod)
                        .map(ConsumerItem::name)
                        .toList();
    }

    /** Returns the allocation; null if the claim is not allocated. */
    @Nullable
    AllocationItem allocation() {
        return status == null ? null : status.allocation();
    }
}
