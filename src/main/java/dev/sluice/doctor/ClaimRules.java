package dev.sluice.doctor;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodNodeMismatch;
import dev.sluice.cluster.dra.DeviceClass;
import dev.sluice.cluster.dra.DevicePool;
import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.DiagnosedClaimHolders.ClaimHolder;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.DraFacts;
import dev.sluice.doctor.facts.DraFacts.ClaimFacts;
import dev.sluice.doctor.facts.DraFacts.DeviceRequestFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.NodeFacts;
import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodDemandFacts;
import dev.sluice.doctor.facts.PodDemandFacts.ClaimUse;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Decides whether ResourceClaims and DeviceClasses keep a pod from being scheduled. */
final class ClaimRules {

    /**
     * The maximum number of cached lists of pods that hold devices. Each combination of DeviceClasses that pods request
     * has its own list. A cluster has only a few DeviceClasses, so this is enough.
     */
    private static final int MOST_SETS = 64;

    /** The first words of the evidence about a pod of a DRA driver that is not ready. */
    static final String DRIVER_NOT_READY = "the DRA driver's pod is not ready: ";

    /** The first words of the evidence about a pod of a DRA driver that is ready but has published no device. */
    static final String DRIVER_READY = "the DRA driver's pod has published no device: ";

    /** Matches the message of the API server about a ResourceClaimTemplate that does not exist. */
    private static final Pattern NO_TEMPLATE =
            Pattern.compile("resourceclaimtemplate[a-z0-9.]* \"([^\"]+)\" not found");

    private static final String IMPOSSIBLE = ": whether used or free, ";
    private static final String NOT_ALLOCATED = " is not allocated";

    /** The scheduler's usual message about a node whose devices do not satisfy the claims of a pod. */
    private static final String CANNOT_ALLOCATE = "cannot allocate all claims";

    private final ClusterFacts cluster;
    private final DraFacts dra;
    /**
     * Holds the full names of all pods for which a claim is reserved. The set {@code present} has only the names of the
     * pods that were collected.
     */
    private final Set<String> reservedFor;

    private final Set<String> present;
    /** Maps the namespace and name of a claim to the claim. */
    private final Map<String, ClaimFacts> byName = new HashMap<>();
    /**
     * Maps the namespace and the name of a claim, without the generated end of the name, to the claim. The generated
     * end begins at the last dash.
     */
    private final Map<String, ClaimFacts> byBase = new HashMap<>();

    private final Map<Set<String>, DiagnosedClaimHolders> holdersOfClasses = new HashMap<>();
    /** Maps the full name of a pod to the newest recent event about a claim that could not be created. */
    private final Map<String, EventFacts> notCreated = new HashMap<>();

    private final ClaimRequestRule requests;
    private final LostClaimUsers lost;

    /**
     * Holds what is known about the devices for a pod's claims. The suppliers are called only if a claim is not
     * allocated.
     *
     * @param shortage the first request that waits for devices in use
     * @param freeOn the nodes whose free devices satisfy the requests
     * @param message the scheduler's newest message; empty if there is no recent one
     */
    private record Offers(Supplier<Optional<ClaimShortage>> shortage, Supplier<Set<String>> freeOn, String message) {
        static final Offers NONE = new Offers(Optional::empty, Set::of, "");
    }

    public ClaimRules(ClusterFacts cluster, LostClaimUsers lost) {
        this.cluster = cluster;
        this.lost = lost;
        dra = cluster.dra();
        requests = new ClaimRequestRule(cluster);
        for (EventFacts event : cluster.events()) {
            if (event.reason().equals("FailedResourceClaimCreation") && cluster.isFresh(event.time())) {
                notCreated.merge(event.namespace() + "/" + event.name(), event, EventFacts::later);
            }
        }
        for (ClaimFacts claim : dra.claims()) {
            String name = claim.namespace() + "/" + claim.name();
            byName.putIfAbsent(name, claim);
            byBase.putIfAbsent(name.substring(0, Math.max(name.lastIndexOf('-'), 0)), claim);
        }
        reservedFor = dra.claims().stream()
                .flatMap(claim -> claim.users().stream().map(user -> claim.namespace() + "/" + user))
                .collect(Collectors.toSet());
        present = reservedFor.isEmpty()
                ? Set.of()
                : cluster.pods().stream()
                        .map(PodFacts::fullName)
                        .filter(reservedFor::contains)
                        .collect(Collectors.toSet());
    }

    public boolean isMapped(ResourceName resource) {
        return dra.classes().stream().anyMatch(it -> it.maps(resource.value()));
    }

    /**
     * Returns true if the claims of the pod can be judged, because ResourceClaims were collected or the pod has no
     * claim.
     */
    public boolean canJudge(PodDemandFacts ask) {
        return ask.claims().isEmpty() || cluster.has(ClusterFactKind.RESOURCE_CLAIMS);
    }

    /**
     * Returns the cause if a claim of the pod is missing or not allocated; empty otherwise. If ResourceClaims were not
     * collected, only recent events and the scheduler's message can give the cause.
     *
     * @param pod the name of the pod; empty for a pod template
     */
    public Optional<DiagnosisCause> unsatisfied(PodDemandFacts ask, String pod, String message) {
        if (ask.claims().isEmpty()) {
            return Optional.empty();
        }
        if (!canJudge(ask)) {
            // If the scheduler's newest message is not about claims, the missing claim has been created since the
            // failure.
            boolean blamed = SchedulerMessageReasons.blamesClaims(message);
            Optional<DiagnosisCause> failed = message.isEmpty() || blamed ? notCreated(ask, pod) : Optional.empty();
            return failed.or(() -> blamed ? Optional.of(told(ask, message)) : Optional.empty());
        }
        Map<String, String> faults = new LinkedHashMap<>();
        Set<String> classes = new HashSet<>();
        for (ClaimUse use : ask.claims()) {
            // A claim from a claim template is created together with the pod, so a pod template cannot have one yet.
            if (use.claim() != null || !pod.isEmpty()) {
                judge(ask, pod, use, faults, classes);
            }
        }
        return faults.isEmpty()
                ? Optional.empty()
                : Optional.of(cause(
                        ask,
                        faults,
                        classes,
                        holders(classes).without(fullName(ask, pod)),
                        new Offers(
                                () -> shortage(ask, pod),
                                () -> nodesWithFreeDevices(ask, pod),
                                isBare(ask, pod) || !message.contains(CANNOT_ALLOCATE) ? message : "")));
    }

    /**
     * Returns the cause if a recent event says that a claim of the pod could not be created. The event is used even if
     * no ResourceClaim was collected, because the cluster may have no claims except the one that could not be created.
     */
    private Optional<DiagnosisCause> notCreated(PodDemandFacts ask, String pod) {
        boolean isKnownWhy = !whyNotCreated(fullName(ask, pod)).isEmpty();
        return ask.claims().stream()
                .filter(use -> use.claim() == null && isKnownWhy)
                .findFirst()
                .map(use -> cause(
                        ask,
                        Map.of(use.name(), doesNotExist(ask, pod, use)),
                        Set.of(),
                        new DiagnosedClaimHolders(List.of()),
                        Offers.NONE));
    }

    private static DiagnosisCause told(PodDemandFacts ask, String message) {
        List<String> names = ask.claims().stream()
                .map(use -> use.claim() == null ? use.name() : use.claim())
                .toList();
        return new DiagnosisCause(
                DiagnosisCode.DRA_CLAIM_UNSATISFIED,
                "By the scheduler's message the resource claims (" + FirstFiveNames.of(names)
                        + ") are not satisfied: \"" + message + "\".",
                Evidence.ofSubject("the scheduler says \"" + message + "\""));
    }

    private void judge(PodDemandFacts ask, String pod, ClaimUse use, Map<String, String> faults, Set<String> classes) {
        Optional<ClaimFacts> claim = find(ask, pod, use);
        if (claim.isEmpty()) {
            faults.put(use.claim() == null ? use.name() : use.claim(), doesNotExist(ask, pod, use));
        } else if (claim.get().allocatedTo() != null) {
            withoutNode(claim.get()).ifPresent(fault -> faults.put(claim.get().name(), fault));
        } else {
            classes.addAll(claim.get().classes());
            faults.put(
                    claim.get().name(),
                    "the ResourceClaim " + claim.get().name() + NOT_ALLOCATED
                            + (claim.get().classes().isEmpty()
                                    ? ""
                                    : " (class " + FirstFiveNames.of(claim.get().classes()) + ")")
                            + (claim.get().equalAttributes().isEmpty()
                                    ? ""
                                    : "; its devices have to be equal in "
                                            + FirstFiveNames.of(claim.get().equalAttributes()))
                            + claim.get().requests().stream()
                                    .flatMap(request -> requests.fault(request).stream())
                                    .map(fault -> IMPOSSIBLE + fault)
                                    .collect(Collectors.joining()));
        }
    }

    /**
     * Returns a clause if the claim is allocated, but its devices cannot be used on any node that was read; empty
     * otherwise. The clause says that the node does not exist only if all nodes were read and the claim has not changed
     * recently.
     */
    private Optional<String> withoutNode(ClaimFacts claim) {
        RuleTime.check();
        NodeConstraints place = claim.allocatedTo();
        if (place == null
                || cluster.nodes().isEmpty()
                || cluster.nodes().stream()
                        .anyMatch(node ->
                                !place.isRefused(node.node(), PodNodeMismatch.AffinityMismatch.class::isInstance))) {
            return Optional.empty();
        }
        boolean mayExist = cluster.unread().stream().anyMatch(it -> it.plural().equals(ClusterFactKind.NODES.plural()))
                || (claim.changed() != null && cluster.isWithin(claim.changed(), LostClaimUsers.IN_TRANSIT));
        String lead = "the ResourceClaim " + claim.name() + " is allocated, and no node ";
        String where = " on which its devices can be used (" + FirstFiveNames.of(placesOf(place)) + ")";
        return Optional.of(
                mayExist
                        ? lead + "was read" + where
                        : lead + "exists" + where
                                + ". It keeps this allocation as long as it exists and a pod is to use it: delete the claim"
                                + " and the pods that use it, so that both are made anew");
    }

    /**
     * Returns the names of the nodes that an allocation selects. If it selects no node by name, returns the labels that
     * it selects.
     */
    private static List<String> placesOf(NodeConstraints place) {
        List<String> names = place.terms().stream()
                .flatMap(term -> term.matchFields().stream())
                .flatMap(field -> field.values().stream())
                .toList();
        return names.isEmpty() ? place.labelsAsked() : names;
    }

    /**
     * Returns true if exactly one request of the pod's claims is not allocated, and no claim requires that its devices
     * have equal attributes.
     */
    private boolean isBare(PodDemandFacts ask, String pod) {
        return waiting(ask, pod).filter(requests -> requests.size() == 1).isPresent()
                && ask.claims().stream()
                        .flatMap(use -> find(ask, pod, use).stream())
                        .allMatch(claim -> claim.equalAttributes().isEmpty());
    }

    /**
     * Returns a sentence about the scheduler's message if the claims are not allocated although devices for them are
     * free. Returns an empty text if there is no message, or if no such devices are known.
     *
     * @param free the nodes whose free devices satisfy the claims, as far as the diagnosis can evaluate them
     */
    private static String despite(Set<String> free, String message) {
        if (message.isEmpty() || free.isEmpty()) {
            return "";
        }
        return message.contains(CANNOT_ALLOCATE)
                ? " The scheduler cannot allocate them all the same. DeviceTaintRules are not read and may taint them: kubectl"
                        + " get devicetaintrules."
                : " The scheduler says: \"" + message + "\".";
    }

    /**
     * Returns the first request of the pod's claims that waits for devices in use; empty if there is none, or if too
     * little is known.
     */
    private Optional<ClaimShortage> shortage(PodDemandFacts ask, String pod) {
        return waiting(ask, pod).stream()
                .flatMap(List::stream)
                .flatMap(request -> ClaimShortage.of(
                        request,
                        requests.offers(request).stream()
                                .filter(offer -> !ask.constraints()
                                        .isRefused(offer.node().node(), _ -> true))
                                .toList())
                        .stream())
                .findFirst();
    }

    /**
     * Returns the names of the nodes that have enough free devices for each request of the pod's claims that is not
     * allocated. Returns an empty set if there is no such node, or if too little is known.
     */
    Set<String> nodesWithFreeDevices(PodDemandFacts ask, String pod) {
        return waiting(ask, pod).stream()
                .flatMap(List::stream)
                .map(request -> requests.offers(request).stream()
                        .filter(offer -> offer.needed(request) <= offer.free().least())
                        .map(offer -> offer.node().name())
                        .collect(Collectors.toSet()))
                .reduce((one, other) -> {
                    one.retainAll(other);
                    return one;
                })
                .orElse(Set.of());
    }

    /**
     * Returns the requests of the pod's claims that are not allocated. Returns empty if a claim is missing, if a claim
     * has a request with alternatives or admin access, or if the devices of a class are not known.
     */
    private Optional<List<DeviceRequestFacts>> waiting(PodDemandFacts ask, String pod) {
        List<DeviceRequestFacts> waiting = new ArrayList<>();
        for (ClaimUse use : ask.claims()) {
            Optional<ClaimFacts> claim = find(ask, pod, use);
            if (claim.isEmpty()) {
                return Optional.empty();
            }
            if (claim.get().allocatedTo() == null) {
                boolean isKnown = claim.get().classes().size()
                                == claim.get().requests().size()
                        && claim.get().classes().stream().allMatch(name -> DiagnosedDeviceClass.isKnown(name, cluster));
                if (!isKnown) {
                    return Optional.empty();
                }
                waiting.addAll(claim.get().requests());
            }
        }
        return Optional.of(waiting);
    }

    private String doesNotExist(PodDemandFacts ask, String pod, ClaimUse use) {
        return use.claim() == null
                ? "the ResourceClaim of the reference " + use.name() + " does not exist"
                        + whyNotCreated(fullName(ask, pod))
                : "the ResourceClaim " + use.claim() + " does not exist";
    }

    /**
     * Returns a clause about why no claim was created from a claim template; empty if no recent event gives a reason.
     */
    private String whyNotCreated(String pod) {
        EventFacts event = notCreated.get(pod);
        if (event == null) {
            return "";
        }
        Matcher template = NO_TEMPLATE.matcher(event.text());
        return template.find()
                ? ", because there is no ResourceClaimTemplate " + template.group(1)
                : ", because it could not be created: \"" + event.text() + "\"";
    }

    /**
     * Returns the claim that the pod refers to. The name of a generated claim has the form
     * {@code pod-reference-random}. In the first releases of DRA it had the form {@code pod-reference}.
     */
    private Optional<ClaimFacts> find(PodDemandFacts ask, String pod, ClaimUse use) {
        if (use.claim() != null) {
            return Optional.ofNullable(byName.get(ask.namespace() + "/" + use.claim()));
        }
        String base = ask.namespace() + "/" + pod + "-" + use.name();
        return Stream.of(byName, byBase)
                .flatMap(claims -> Stream.ofNullable(claims.get(base)))
                .findFirst();
    }

    /**
     * Returns the cause for claims that are missing or not allocated.
     *
     * @param faults maps the name of each such claim to a clause about what is wrong with the claim
     */
    private DiagnosisCause cause(
            PodDemandFacts ask,
            Map<String, String> faults,
            Set<String> classes,
            DiagnosedClaimHolders others,
            Offers offers) {
        List<Evidence> evidence = new ArrayList<>();
        faults.forEach(
                (claim, fault) -> evidence.add(new Evidence("ResourceClaim", ask.namespace() + "/" + claim, fault)));
        evidence.addAll(others.evidence(present));
        List<DiagnosedDeviceClass> devices = classes.stream()
                .sorted()
                .flatMap(name -> DiagnosedDeviceClass.of(name, cluster).stream())
                .toList();
        boolean impossible = faults.values().stream().anyMatch(fault -> fault.contains(IMPOSSIBLE));
        boolean waits = !impossible
                && devices.size() == classes.size()
                && faults.values().stream().allMatch(fault -> fault.contains(NOT_ALLOCATED))
                && devices.stream().anyMatch(DiagnosedDeviceClass::areAllUsed)
                && devices.stream()
                        .allMatch(it -> it.areAllUsed() || !it.freeOn().isEmpty());
        Optional<ClaimShortage> shortage =
                impossible || waits ? Optional.empty() : offers.shortage().get();
        boolean isShort = shortage.isPresent();
        Set<String> free =
                impossible || waits || isShort ? Set.of() : offers.freeOn().get();
        boolean inUse = isShort && shortage.get().code() != DiagnosisCode.DRA_CLAIM_UNSATISFIED;
        String told = (impossible || inUse
                        ? ""
                        : classes.stream()
                                .sorted()
                                .map(name -> isTolerated(name, devices, free)
                                        ? " Devices of the class " + name
                                                + " whose taints the claim tolerates are free on "
                                                + FirstFiveNames.nodes(new TreeSet<>(free)) + "."
                                        : aboutClass(name, evidence))
                                .collect(Collectors.joining()))
                + shortage.map(ClaimShortage::sentence).orElseGet(() -> despite(free, offers.message()));
        List<ResourceClaim> held = waits || isShort
                ? devices.stream()
                        .filter(it -> isShort || it.areAllUsed())
                        .flatMap(it -> it.holders().stream())
                        .distinct()
                        .toList()
                : List.of();
        String kept = (waits
                        ? classes.stream()
                                .sorted()
                                .map(name -> unpublished(name, evidence))
                                .collect(Collectors.joining())
                        : "")
                + lost.sentence(held, evidence);
        return new DiagnosisCause(
                waits
                        ? DiagnosisCode.ALL_USED
                        : shortage.map(ClaimShortage::code).orElse(DiagnosisCode.DRA_CLAIM_UNSATISFIED),
                "A claim of the pod is not satisfied: " + FirstFiveNames.of(faults.values()) + "." + told + kept
                        + missing(classes)
                        + (impossible || devices.stream().anyMatch(DiagnosedDeviceClass::areAllUsed)
                                ? ""
                                : others.sentence()),
                evidence);
    }

    /**
     * Returns true if all devices of the class are tainted, but some node has free devices for the pod's claims. This
     * is possible only if the claims tolerate the taints.
     */
    private static boolean isTolerated(String deviceClass, List<DiagnosedDeviceClass> devices, Set<String> free) {
        return !free.isEmpty()
                && devices.stream()
                        .anyMatch(it -> it.name().equals(deviceClass)
                                && it.all() > 0
                                && it.all() == it.tainted().size());
    }

    /** Returns a sentence about the devices of a class; empty if nothing is known of them. */
    private String aboutClass(String deviceClass, List<Evidence> evidence) {
        return dra.state()
                .supply()
                .classes()
                .named(deviceClass)
                .flatMap(known -> withoutDevices(known, evidence))
                .or(() -> DiagnosedDeviceClass.of(deviceClass, cluster).map(DiagnosedDeviceClass::sentence))
                .orElse("");
    }

    /**
     * Returns a sentence about the DeviceClasses that do not exist; empty if all of them exist, or if no DeviceClass
     * was collected.
     */
    private String missing(Set<String> classes) {
        List<String> none = classes.stream()
                .filter(_ -> cluster.has(ClusterFactKind.DEVICE_CLASSES))
                .filter(name -> dra.classes().stream().noneMatch(it -> it.name().equals(name)))
                .toList();
        return none.isEmpty()
                ? ""
                : none.size() == 1
                        ? " The DeviceClass " + none.getFirst() + " does not exist."
                        : " The DeviceClasses " + FirstFiveNames.of(none) + " do not exist.";
    }

    private static String fullName(PodDemandFacts ask, String pod) {
        return ask.namespace() + "/" + pod;
    }

    private DiagnosedClaimHolders holders(Set<String> classes) {
        DiagnosedClaimHolders known = holdersOfClasses.get(classes);
        if (known == null) {
            known = allHolders(classes);
            if (holdersOfClasses.size() < MOST_SETS) {
                holdersOfClasses.put(new HashSet<>(classes), known);
            }
        }
        return known;
    }

    private static boolean isAllocated(ClaimFacts claim) {
        RuleTime.check();
        return claim.allocatedTo() != null;
    }

    private DiagnosedClaimHolders allHolders(Set<String> classes) {
        return new DiagnosedClaimHolders(dra.claims().stream()
                .filter(ClaimRules::isAllocated)
                .filter(claim -> claim.classes().stream().anyMatch(classes::contains))
                .flatMap(claim -> claim.users().stream()
                        .map(user -> new ClaimHolder(claim.namespace() + "/" + user, claim.namespace(), claim.name())))
                .sorted(Comparator.comparing(ClaimHolder::pod))
                .toList());
    }

    /**
     * Returns true if a claim is reserved for this pod. The causes then depend on the name of the pod, so they must not
     * be reused for another pod.
     */
    public boolean isReservedFor(PodDemandFacts ask, String pod) {
        return reservedFor.contains(fullName(ask, pod));
    }

    /**
     * Returns the cause for a resource that a DeviceClass maps and that no node has in allocatable; empty if no
     * DeviceClass maps it. The devices of such a resource are allocated only through claims.
     */
    Optional<DiagnosisCause> mapped(ResourceName resource, PodDemandFacts ask, String pod) {
        List<String> classes = dra.classes().stream()
                .filter(it -> it.maps(resource.value()))
                .map(DraFacts.DeviceClassFacts::name)
                .toList();
        if (classes.isEmpty()) {
            return Optional.empty();
        }
        DiagnosedClaimHolders all = holders(new HashSet<>(classes));
        DiagnosedClaimHolders own = all.only(fullName(ask, pod));
        DiagnosedClaimHolders others = all.without(fullName(ask, pod));
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(new Evidence("DeviceClass", classes.getFirst(), "maps " + resource));
        own.holders().forEach(it -> evidence.add(it.evidence()));
        evidence.addAll(others.evidence(present));
        String text = resource + ": " + ask.requests().get(resource)
                + " requested; the resource is mapped by the "
                + (classes.size() == 1 ? "DeviceClass " : "DeviceClasses ") + FirstFiveNames.of(classes)
                + ", and no node has it in allocatable" + own(own) + "."
                + dra.state()
                        .supply()
                        .classes()
                        .classOf(resource)
                        .map(it -> aboutClass(it.name(), evidence))
                        .orElse("")
                + others.sentence();
        return Optional.of(new DiagnosisCause(DiagnosisCode.DRA_CLAIM_UNSATISFIED, text, evidence));
    }

    /**
     * Returns a sentence about the nodes on which the driver of a class has a pod but has published no device, and adds
     * these pods to the evidence. A node counts only if another driver has published devices for it.
     */
    private String unpublished(String deviceClass, List<Evidence> evidence) {
        DeviceClass known = dra.state().supply().classes().named(deviceClass).orElse(null);
        if (known == null || known.drivers().size() != 1) {
            return "";
        }
        String driver = known.drivers().iterator().next();
        Optional<GpuVendor> vendor = GpuVendor.ofDriver(driver).or(() -> DiagnosedDevicePluginPods.vendorIn(driver));
        Set<String> without = cluster.nodes().stream()
                .filter(node -> {
                    RuleTime.check();
                    Set<String> drivers = dra.state().supply().pools().devicesOn(node.node()).stream()
                            .map(device -> device.id().driver())
                            .collect(Collectors.toSet());
                    return !drivers.isEmpty() && !drivers.contains(driver);
                })
                .map(NodeFacts::name)
                .collect(Collectors.toSet());
        List<PodFacts> pods = vendor.isEmpty() || without.isEmpty()
                ? List.of()
                : DiagnosedDevicePluginPods.driversOf(vendor.get(), cluster.pods()).stream()
                        .filter(pod -> without.contains(pod.nodeName()))
                        .toList();
        pods.stream()
                .limit(FirstFiveNames.MOST)
                .forEach(pod -> evidence.add(new Evidence(
                        "Pod",
                        pod.fullName(),
                        (pod.isRunningAndReady() ? DRIVER_READY : DRIVER_NOT_READY)
                                + DiagnosedNodeFaultText.state(pod, ""))));
        return pods.isEmpty()
                ? ""
                : " On "
                        + FirstFiveNames.nodes(
                                pods.stream().map(PodFacts::nodeName).toList()) + " the driver " + driver
                        + " has published none: " + DiagnosedNodeFaultText.drivers(pods) + ".";
    }

    /**
     * Returns a sentence about a class for which no driver has published a device, and adds the pods and DaemonSets of
     * the driver to the evidence. Returns empty if a device was published, if pods were not read, if a ResourceSlice
     * could not be read, or if the vendor of the driver is unknown.
     */
    private Optional<String> withoutDevices(DeviceClass known, List<Evidence> evidence) {
        Optional<GpuVendor> vendor = Stream.of(
                        known.drivers().stream().flatMap(it -> GpuVendor.ofDriver(it).stream()),
                        known.mappedName().stream().flatMap(it -> GpuVendor.of(it).stream()),
                        known.drivers().stream().flatMap(it -> DiagnosedDevicePluginPods.vendorIn(it).stream()))
                .flatMap(it -> it)
                .findFirst();
        List<DevicePool> pools = dra.state().supply().pools().all().stream()
                .filter(pool -> known.mayUse(pool.id().driver()))
                .toList();
        boolean published = pools.stream()
                .anyMatch(pool -> !pool.isUsable() || !pool.devices().isEmpty());
        boolean unread =
                cluster.unread().stream().anyMatch(it -> it.plural().equals(ClusterFactKind.RESOURCE_SLICES.plural()));
        if (published || unread || vendor.isEmpty() || !cluster.has(ClusterFactKind.PODS)) {
            return Optional.empty();
        }
        List<PodFacts> pods = DiagnosedDevicePluginPods.driversOf(vendor.get(), cluster.pods());
        List<OwnerFacts> idle = DiagnosedNodeFaultText.setsWithoutPods(vendor.get(), cluster);
        if (pods.isEmpty() && idle.isEmpty() && cluster.has(ClusterFactKind.RESOURCE_SLICES)) {
            return Optional.empty();
        }
        pods.forEach(pod -> evidence.add(new Evidence(
                "Pod",
                pod.fullName(),
                (pod.isRunningAndReady() ? DRIVER_READY : DRIVER_NOT_READY) + DiagnosedNodeFaultText.state(pod, ""))));
        idle.forEach(set -> evidence.add(new Evidence(
                "DaemonSet",
                DiagnosedNodeFaultText.fullName(set),
                DiagnosedNodeFaultText.idle(set, List.of(), cluster))));
        String driver = known.drivers().stream().sorted().findFirst().orElse("the class " + known.name());
        return Optional.of((pools.isEmpty()
                        ? " No ResourceSlice of " + driver + " was found: "
                        : " The driver " + driver + " has published no device on any node: ")
                + (pods.isEmpty() && !idle.isEmpty()
                        ? FirstFiveNames.of(idle.stream()
                                        .map(set -> DiagnosedNodeFaultText.idle(set, List.of(), cluster))
                                        .toList())
                                + (idle.stream().allMatch(set -> set.wanted() == 0)
                                        ? ". A driver publishes devices once a node with them has joined"
                                        : "")
                        : DiagnosedNodeFaultText.drivers(pods))
                + ".");
    }

    /**
     * Returns a clause about the claim for an extended resource that a DeviceClass maps. The scheduler creates this
     * claim for the pod.
     */
    private String own(DiagnosedClaimHolders own) {
        if (!cluster.has(ClusterFactKind.RESOURCE_CLAIMS)) {
            return "";
        }
        return own.holders().isEmpty()
                ? "; no allocated claim of that class is reserved for the pod"
                : "; the claim "
                        + FirstFiveNames.of(
                                own.holders().stream().map(ClaimHolder::claim).toList())
                        + " of that class is allocated and reserved for the pod";
    }

    /** Returns a predicate for the nodes where the devices of the pod's allocated claims can be used. */
    public Predicate<DiagnosedNode> place(PodDemandFacts ask, String pod) {
        List<NodeConstraints> places = ask.claims().stream()
                .flatMap(use -> find(ask, pod, use).stream())
                .map(ClaimFacts::allocatedTo)
                .filter(Objects::nonNull)
                .toList();
        return node -> places.stream()
                .noneMatch(place ->
                        place.isRefused(node.facts().node(), PodNodeMismatch.AffinityMismatch.class::isInstance));
    }
}
