package dev.sluice.doctor;

import dev.sluice.cluster.dra.DeviceCount;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.doctor.ClaimRequestRule.NodeDevices;
import dev.sluice.doctor.facts.DraFacts.DeviceRequestFacts;
import java.util.List;
import java.util.Optional;

/**
 * Describes a request of a ResourceClaim that waits for devices in use: no node that the pod may use has enough free
 * devices, and some node would have if other claims ended.
 *
 * @param code {@code AllUsed} if none that suits the request is free, {@code Fragmented} if the nodes together have
 *     enough free devices. If some are free, but too few, waiting alone may not help, because smaller claims take each
 *     device that others give back; the claim is then {@code DraClaimUnsatisfied}
 * @param sentence how many devices are asked for and free, with a blank before it
 */
record ClaimShortage(DiagnosisCode code, String sentence) {

    /** @param nodes the devices of the nodes that the pod may use */
    static Optional<ClaimShortage> of(DeviceRequestFacts request, List<NodeDevices> nodes) {
        boolean waits = nodes.stream()
                        .noneMatch(node -> request.count() <= node.free().most())
                && nodes.stream()
                        .anyMatch(node -> request.count() <= node.whole().least());
        return waits ? Optional.of(told(request.count(), request.name(), nodes)) : Optional.empty();
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
