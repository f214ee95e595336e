package dev.sluice.doctor;

import dev.sluice.cluster.dra.DeviceCount;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.doctor.ClaimRequestRule.NodeDevices;
import dev.sluice.doctor.facts.DraFacts.DeviceRequestFacts;
import dev.sluice.text.FirstFiveNames;
import java.util.List;
import java.util.Optional;

/**
 * Describes a request of a ResourceClaim that waits for devices in use. No node that the pod may use has enough free
 * devices now. Some node would have enough if other claims ended.
 *
 * @param code {@code AllUsed} if no suitable device is free, or if the request asks for all devices of a node;
 *     {@code Fragmented} if enough devices are free, but on several nodes; {@code DraClaimUnsatisfied} if some devices
 *     are free, but too few. In the last case waiting may not help, because smaller claims may take each device that
 *     becomes free
 * @param sentence the numbers of requested and free devices; begins with a blank
 */
record ClaimShortage(DiagnosisCode code, String sentence) {

    /**
     * Returns the shortage if the request waits for devices in use; empty otherwise.
     *
     * @param nodes the nodes that the pod may use, with their devices
     */
    static Optional<ClaimShortage> of(DeviceRequestFacts request, List<NodeDevices> nodes) {
        boolean waits = nodes.stream()
                        .noneMatch(node -> node.needed(request) <= node.free().most())
                && nodes.stream()
                        .anyMatch(node -> node.needed(request) <= node.whole().least());
        return !waits
                ? Optional.empty()
                : Optional.of(request.all() ? ofAll(request, nodes) : told(request.count(), request.name(), nodes));
    }

    private static ClaimShortage ofAll(DeviceRequestFacts request, List<NodeDevices> nodes) {
        List<String> free = nodes.stream()
                .map(node -> node.free().most() + " of " + node.whole().most() + " are free on "
                        + node.node().name())
                .toList();
        return new ClaimShortage(
                DiagnosisCode.ALL_USED,
                " The request " + request.name()
                        + " of its claim asks for all devices of a node, and no node has all free: "
                        + FirstFiveNames.of(free) + ".");
    }

    private static ClaimShortage told(long count, String request, List<NodeDevices> nodes) {
        long sum = 0;
        DeviceCount most = DeviceCount.NONE;
        String where = "";
        for (NodeDevices each : nodes) {
            sum = Amounts.saturatedSum(sum, each.free().most());
            if (each.free().most() > most.most()) {
                most = each.free();
                where = each.node().name();
            }
        }
        String free = where.isEmpty()
                ? "none that suits it is free where the pod may run"
                : sum + (sum == 1 ? " is" : " are") + " free where the pod may run, but no node has more than "
                        + most.most() + " (" + where + ")";
        return new ClaimShortage(
                sum == 0
                        ? DiagnosisCode.ALL_USED
                        : sum >= count ? DiagnosisCode.FRAGMENTED : DiagnosisCode.DRA_CLAIM_UNSATISFIED,
                " The request " + request + " of its claim asks for " + count
                        + (count == 1 ? " device: " : " devices of one node: ") + free + ".");
    }
}
