package dev.sluice.doctor;

import dev.sluice.cluster.dra.DeviceAllocator;
import dev.sluice.cluster.dra.DeviceClass;
import dev.sluice.cluster.dra.DeviceCount;
import dev.sluice.cluster.dra.DevicePool.PooledDevice;
import dev.sluice.cluster.dra.DeviceSelector;
import dev.sluice.cluster.dra.DraCertainty;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.DraFacts.DeviceRequestFacts;
import dev.sluice.doctor.facts.NodeFacts;
import dev.sluice.text.ShortText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the requests of ResourceClaims that no node could satisfy even if all its devices were free. Also finds the
 * nodes whose free devices satisfy a request.
 */
final class ClaimRequestRule {

    /**
     * The maximum number of requests whose results are cached. Users write only few different requests, so this is
     * enough.
     */
    private static final int MOST_ANSWERS = 64;

    private static final int LONGEST_SELECTOR = 200;

    private final ClusterFacts cluster;
    private final Map<DeviceRequestFacts, Optional<String>> answers = new HashMap<>();
    private final Map<DeviceRequestFacts, List<NodeDevices>> offers = new HashMap<>();

    ClaimRequestRule(ClusterFacts cluster) {
        this.cluster = cluster;
    }

    /**
     * Holds the number of devices on one node that satisfy a request.
     *
     * @param free the devices that can be allocated now
     * @param whole the devices that could be allocated if no device were allocated yet
     */
    record NodeDevices(NodeFacts node, DeviceCount free, DeviceCount whole) {

        /**
         * Returns the number of devices that the request needs. If the request asks for all devices of a node, this is
         * the number of suitable devices on this node.
         */
        long needed(DeviceRequestFacts request) {
            return request.all() ? whole.most() : request.count();
        }
    }

    /**
     * Returns the nodes that have devices suitable for the request, and the numbers of these devices. Returns an empty
     * list if the DeviceClass is not known.
     */
    List<NodeDevices> offers(DeviceRequestFacts request) {
        List<NodeDevices> known = offers.get(request);
        if (known == null) {
            known = cluster.dra().state().supply().classes().named(request.deviceClass()).stream()
                    .flatMap(wanted -> onEachNode(narrowed(wanted, request), request))
                    .toList();
            if (offers.size() < MOST_ANSWERS) {
                offers.put(request, known);
            }
        }
        return known;
    }

    /** Returns a copy of the DeviceClass, with the selectors of the request added to its own. */
    private static DeviceClass narrowed(DeviceClass wanted, DeviceRequestFacts request) {
        return new DeviceClass(
                wanted.name(),
                wanted.extendedResource(),
                wanted.created(),
                Stream.concat(
                                wanted.selectors().stream(),
                                request.selectors().stream().map(DeviceSelector::of))
                        .toList());
    }

    private Stream<NodeDevices> onEachNode(DeviceClass wanted, DeviceRequestFacts request) {
        DraState dra = cluster.dra().state();
        return cluster.nodes().stream().<NodeDevices>mapMulti((node, offers) -> {
            RuleTime.check();
            List<PooledDevice> devices = dra.supply().pools().devicesOn(node.node()).stream()
                    .filter(it -> request.isLargeEnough(it.device(), it.id().driver()))
                    .map(it -> request.isKeptOff(it.device())
                            ? it
                            : new PooledDevice(it.pool(), it.device().withoutTaints()))
                    .toList();
            DeviceCount whole = new DeviceAllocator(devices, _ -> false).free(wanted);
            if (whole.most() > 0) {
                offers.accept(
                        new NodeDevices(node, new DeviceAllocator(devices, dra.claims()::has).free(wanted), whole));
            }
        });
    }

    /** Returns a clause about why the request cannot be satisfied; empty if it can, or if too little is known. */
    Optional<String> fault(DeviceRequestFacts request) {
        Optional<String> known = answers.get(request);
        if (known == null) {
            known = DiagnosedDeviceClass.of(request.deviceClass(), cluster)
                    .filter(devices -> devices.all() > 0)
                    .flatMap(_ -> cluster.dra().state().supply().classes().named(request.deviceClass()))
                    .flatMap(wanted -> fault(request, wanted));
            if (answers.size() < MOST_ANSWERS) {
                answers.put(request, known);
            }
        }
        return known;
    }

    private Optional<String> fault(DeviceRequestFacts request, DeviceClass wanted) {
        List<DeviceSelector> selectors =
                request.selectors().stream().map(DeviceSelector::of).toList();
        boolean certain = false;
        boolean possible = false;
        boolean small = false;
        long most = 0;
        String where = "";
        for (NodeFacts node : cluster.nodes()) {
            long found = 0;
            for (PooledDevice device : cluster.dra().state().supply().pools().devicesOn(node.node())) {
                RuleTime.check();
                DraCertainty fits = fits(device, wanted, selectors);
                if (fits != DraCertainty.NO
                        && !request.isLargeEnough(device.device(), device.id().driver())) {
                    small = true;
                    continue;
                }
                if (fits != DraCertainty.NO && device.device().shared()) {
                    return Optional.empty();
                }
                certain |= fits == DraCertainty.YES;
                possible |= fits != DraCertainty.NO;
                found += fits == DraCertainty.NO ? 0 : 1;
            }
            if (found > most) {
                most = found;
                where = node.name();
            }
        }
        if (small && !possible) {
            return Optional.of("no device has the capacity that its request " + request.name() + " asks ("
                    + ShortText.of(
                            request.capacity().entrySet().stream()
                                    .map(it -> it.getKey() + ": " + it.getValue())
                                    .sorted()
                                    .collect(Collectors.joining(", ")),
                            LONGEST_SELECTOR)
                    + ")");
        }
        if (!certain && !selectors.isEmpty()) {
            return Optional.of((possible ? "no device is known to satisfy" : "no device satisfies")
                    + " the own selector of its request " + request.name() + " ("
                    + ShortText.of(request.selectors().getFirst(), LONGEST_SELECTOR) + ")");
        }
        return most == 0 || request.count() <= most
                ? Optional.empty()
                : Optional.of("no node has the " + request.count() + " devices that its request " + request.name()
                        + " asks, but at most " + most + " (node " + where + ")");
    }

    private static DraCertainty fits(PooledDevice device, DeviceClass wanted, List<DeviceSelector> selectors) {
        String driver = device.id().driver();
        DraCertainty answer = wanted.contains(driver, device.device());
        for (DeviceSelector selector : selectors) {
            answer = answer == DraCertainty.NO ? answer : answer.and(selector.matches(driver, device.device()));
        }
        return answer;
    }
}
