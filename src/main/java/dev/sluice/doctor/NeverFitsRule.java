package dev.sluice.doctor;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.NodeExtendedResources;
import dev.sluice.cluster.OtherGpuName;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.text.FirstFiveNames;
import dev.sluice.text.ShortText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Explains that no node offers as many devices of a resource as a pod requests, not even after the faults of the nodes
 * are repaired.
 */
final class NeverFitsRule {

    private static final int MOST_NODES = 5;
    private static final int LONGEST_LABEL = 100;

    /** The field of KubeVirt's configuration that lists the devices that KubeVirt itself registers. */
    static final String PERMITTED = "permittedHostDevices";

    /** Matches the kind of an accelerator in the name of its resource. */
    private static final Pattern KIND = Pattern.compile("/v?(gaudi|tpu|neuron|ascend|mlu|dcu|gcu)");

    private final List<DiagnosedNode> nodes;

    /** Holds the bound pods whose name contains "plugin" and that are not ready. */
    private final List<PodFacts> unreadyPlugins;

    public NeverFitsRule(List<DiagnosedNode> nodes) {
        this.nodes = nodes;
        this.unreadyPlugins = nodes.stream()
                .flatMap(node -> node.use().bound().stream())
                .filter(pod -> pod.name().contains("plugin") && !pod.isRunningAndReady() && !pod.hasEnded())
                .toList();
    }

    /**
     * Returns the cause for a request that no node can satisfy.
     *
     * @param ofOneContainer for each resource, the largest number of devices that a single container of the pod
     *     requests
     */
    public DiagnosisCause cause(Amounts gpus, Amounts ofOneContainer) {
        List<String> sentences = new ArrayList<>();
        List<Evidence> evidence = new ArrayList<>();
        gpus.forEach((resource, asked) -> {
            String sentence = sentence(resource, asked) + together(resource, asked, ofOneContainer.get(resource));
            sentences.add(sentence);
            evidence.add(Evidence.ofSubject("requests " + resource + ": " + asked));
            evidence.addAll(offers(resource));
        });
        return new DiagnosisCause(
                DiagnosisCode.NEVER_FITS_ONE_NODE,
                "No node can ever give the pod what it requests: " + String.join("; ", sentences) + "."
                        + byOthers(gpus, evidence),
                evidence);
    }

    private String sentence(ResourceName resource, long asked) {
        String lead = resource + ": " + asked + " requested, ";
        return largest(resource)
                .map(node -> lead + "the largest allocatable on one node is " + node.allocatable(resource) + " on node "
                        + node.name() + oneClaim(node, resource, asked))
                .orElseGet(() -> lead + "0 offered on any node" + replaced(resource) + offered(resource)
                        + single(resource) + notApplied(resource) + unmapped(resource)
                        + byKubevirt(resource));
    }

    /**
     * Returns a clause if the containers together request more devices than a node has, although each container alone
     * would fit; empty otherwise.
     */
    private String together(ResourceName resource, long asked, long ofOneContainer) {
        boolean eachFits = ofOneContainer > 0
                && ofOneContainer < asked
                && largest(resource)
                        .filter(node -> ofOneContainer <= node.allocatable(resource))
                        .isPresent();
        return eachFits
                ? "; no container of the pod asks for more than " + ofOneContainer
                        + ", but containers do not share devices, so that their requests add up"
                : "";
    }

    /**
     * Returns a clause about the largest number of devices in one claim if the request exceeds this number and DRA
     * allocates the devices of the node; empty otherwise.
     */
    private static String oneClaim(DiagnosedNode node, ResourceName resource, long asked) {
        return asked > NodeExtendedResources.MOST_OF_ONE_POD
                        && node.facts().node().claims(resource)
                ? ", where dynamic resource allocation hands them out, and one pod gets "
                        + NodeExtendedResources.MOST_OF_ONE_POD + " of them at most"
                : "";
    }

    /** Returns a clause about the nodes that offered the resource before and now offer other resources instead. */
    private String replaced(ResourceName resource) {
        List<String> told = nodes.stream()
                .filter(node -> node.facts().node().capacity().has(resource))
                .filter(node -> !node.hardware().isEmpty())
                .filter(node -> !ReplacedResourceRule.others(node, resource).isEmpty())
                .map(node -> ReplacedResourceRule.sentence(node, resource))
                .toList();
        return told.isEmpty() ? "" : "; " + FirstFiveNames.of(told);
    }

    /**
     * Returns a clause about the nodes whose GPUs are allocated through DRA, although no DeviceClass maps the requested
     * resource.
     */
    private String unmapped(ResourceName asked) {
        List<DiagnosedNode> like = nodes.stream()
                .filter(node -> GpuVendor.of(asked).filter(node::has).isPresent())
                .filter(node -> node.managedByDra() && !node.facts().node().claims(asked))
                .toList();
        TreeSet<String> classes = new TreeSet<>();
        like.forEach(node -> node.facts().node().byClaims().offered().forEach((name, _) -> {
            if (name.isOfDeviceClass()) {
                classes.add(name.value().substring(name.value().indexOf('/') + 1));
            }
        }));
        return like.isEmpty()
                ? ""
                : "; on "
                        + FirstFiveNames.nodes(
                                like.stream().map(DiagnosedNode::name).toList())
                        + " dynamic resource allocation hands out the GPUs"
                        + (classes.isEmpty() ? "" : " (class " + FirstFiveNames.of(classes) + ")")
                        + ", and no DeviceClass maps that name: set spec.extendedResourceName: " + asked
                        + " in the class, or ask for the devices by a ResourceClaim";
    }

    /**
     * Returns a clause about nodes that offer MIG slices under the name {@code nvidia.com/gpu}. Returns an empty text
     * if there are no such nodes, or if the pod does not request slices by their profile.
     */
    private String single(ResourceName asked) {
        List<String> like = nodes.stream()
                .filter(_ -> asked.isMig())
                .filter(node -> node.label(NodeFaults.STRATEGY).equals("single")
                        && node.product().isSlice()
                        && node.allocatable(ResourceName.NVIDIA_GPU) > 0)
                .map(node -> node.name() + " (" + node.product().name() + ")")
                .toList();
        return like.isEmpty()
                ? ""
                : "; with " + NodeFaults.STRATEGY + "=single nvidia.com/gpu is a MIG slice on "
                        + FirstFiveNames.of(like) + ", so ask for that name";
    }

    /**
     * Returns a clause about nodes with a requested MIG configuration that no MIG manager has applied. Returns an empty
     * text if there are no such nodes, or if the pod requests no slices. A MIG manager sets the state label as soon as
     * it begins to apply a configuration. A node without this label has no working MIG manager.
     */
    private String notApplied(ResourceName asked) {
        List<String> waiting = nodes.stream()
                .filter(_ -> asked.isMig())
                .filter(node -> node.has(GpuVendor.NVIDIA)
                        && !node.label(NodeFaults.WANTED).isEmpty()
                        && !node.label(NodeFaults.WANTED).equals("all-disabled")
                        && node.label(NodeFaults.STATE).isEmpty()
                        && !node.facts().node().capacity().anyMatch((name, amount) -> name.isMig() && amount > 0))
                .map(node -> node.name() + " (" + ShortText.of(node.label(NodeFaults.WANTED), LONGEST_LABEL) + ")")
                .toList();
        return waiting.isEmpty()
                ? ""
                : "; " + NodeFaults.WANTED + " asks for instances that no MIG manager has made on "
                        + FirstFiveNames.of(waiting) + ", for " + NodeFaults.STATE + " is not set there";
    }

    /**
     * Returns a clause about the software that registers resources for virtual machines. Returns an empty text if the
     * pod requests no such resource, or if some node offers one.
     */
    private String byKubevirt(ResourceName asked) {
        boolean isThere = nodes.stream()
                .anyMatch(node -> offeredBy(node).anyMatch((resource, _) -> GpuVendor.isForMachines(resource)));
        List<String> like = nodes.stream()
                .filter(node -> GpuVendor.isForMachines(asked)
                        && GpuVendor.of(asked).filter(node::has).isPresent())
                .map(DiagnosedNode::name)
                .toList();
        return isThere || like.isEmpty()
                ? ""
                : "; a device plugin for KubeVirt registers such names, or KubeVirt itself if its " + PERMITTED
                        + " have that name with the vendor and device number of a GPU that is bound to vfio-pci: see the"
                        + " GPUs of " + FirstFiveNames.nodes(like);
    }

    /**
     * Returns a sentence about the requested resources that no node offers and that the usual device plugins do not
     * register, such as shares of GPUs or devices of other vendors.
     */
    private String byOthers(Amounts gpus, List<Evidence> evidence) {
        List<String> names = new ArrayList<>();
        List<String> models = new ArrayList<>();
        StringBuilder accelerators = new StringBuilder();
        gpus.forEach((resource, _) -> {
            if (OtherGpuName.is(resource) && largest(resource).isEmpty()) {
                if (OtherGpuName.isOfAccelerator(resource)) {
                    accelerators.append(ofAccelerator(resource, evidence));
                } else {
                    (OtherGpuName.isOfModel(resource) ? models : names).add(resource.value());
                }
            }
        });
        String ofModels = models.isEmpty()
                ? ""
                : " A device plugin does not usually name models, as " + FirstFiveNames.of(models)
                        + " does: ask for the resource that the nodes offer, and select the model by a label of the nodes,"
                        + " such as " + DiagnosedGpuProduct.LABEL + ".";
        return names.isEmpty()
                ? ofModels + accelerators
                : ofModels + accelerators + " " + FirstFiveNames.of(names) + (names.size() == 1 ? " is" : " are")
                        + " registered by software that shares GPUs, not by the device plugin of their vendor: see"
                        + " whether its pods run.";
    }

    /**
     * Returns a sentence about the device plugin of an accelerator, and adds the plugin's pods that are not ready to
     * the evidence. A pod is recognised if its name contains the name of the vendor or of the accelerator.
     */
    private String ofAccelerator(ResourceName resource, List<Evidence> evidence) {
        String vendor = resource.value().substring(0, resource.value().indexOf('.'));
        Matcher kind = KIND.matcher(resource.value().toLowerCase(Locale.ROOT));
        String word = kind.find() ? kind.group(1) : vendor;
        List<PodFacts> pods = unreadyPlugins.stream()
                .filter(pod -> pod.name().contains(vendor) || pod.name().contains(word))
                .toList();
        String lead = UnregisteredResourceRule.REGISTERS + resource + ": ";
        List<String> states = pods.stream().map(UnregisteredResourceRule::state).toList();
        for (int each = 0; each < Math.min(pods.size(), MOST_NODES); each++) {
            evidence.add(new Evidence("Pod", pods.get(each).fullName(), lead + states.get(each)));
        }
        return " " + resource + " is registered by the device plugin of its vendor"
                + (states.isEmpty()
                        ? ": see whether a pod of it runs on the nodes that have such devices."
                        : ": " + FirstFiveNames.of(states) + ".");
    }

    /**
     * Returns the node that offers the most devices of the resource; empty if no node offers it. If several nodes offer
     * equally many, the first by name is returned.
     */
    private Optional<DiagnosedNode> largest(ResourceName resource) {
        return nodes.stream()
                .filter(node -> GpuVendor.of(resource).map(node::has).orElse(true))
                .filter(node -> node.allocatable(resource) > 0)
                .max(Comparator.comparingLong((DiagnosedNode node) -> node.allocatable(resource))
                        .thenComparing(DiagnosedNode::name, Comparator.reverseOrder()));
    }

    /**
     * Returns the evidence for the node with the most devices of the resource. If no node offers the resource, returns
     * evidence for the first nodes that offer other GPU resources.
     */
    private List<Evidence> offers(ResourceName resource) {
        return largest(resource)
                .map(node -> List.of(new Evidence(
                        "Node", node.name(), resource + ": " + node.allocatable(resource) + " allocatable")))
                .orElseGet(() -> nodes.stream()
                        .filter(node -> !offeredBy(node).isZero())
                        .limit(MOST_NODES)
                        .map(node -> new Evidence("Node", node.name(), "allocatable " + offeredBy(node)))
                        .toList());
    }

    /**
     * Returns the GPU resources that a node offers to containers; none if the node's GPUs are reserved for virtual
     * machines.
     */
    private static Amounts offeredBy(DiagnosedNode node) {
        return node.hardware().isEmpty()
                ? Amounts.NONE
                : GpuVendor.gpus(node.facts().node().allocatable()).only((_, amount) -> amount > 0);
    }

    /** Returns a clause with each GPU resource that nodes offer, and the largest amount of it on a single node. */
    private String offered(ResourceName asked) {
        TreeMap<String, Long> others = new TreeMap<>();
        for (DiagnosedNode node : nodes) {
            offeredBy(node).forEach((resource, amount) -> others.merge(resource.value(), amount, Math::max));
        }
        List<String> told = others.entrySet().stream()
                .map(other -> other.getKey() + ": " + other.getValue() + forMachines(other.getKey(), asked))
                .toList();
        String inOtherLetters = others.keySet().stream()
                .filter(asked.value()::equalsIgnoreCase)
                .findFirst()
                .map(name -> "; upper and lower case count in names, so ask for " + name)
                .orElse("");
        boolean partitions = GpuVendor.of(asked).filter(GpuVendor.AMD::equals).isPresent()
                && others.keySet().stream().anyMatch(name -> name.startsWith("amd.com/") && name.contains("_nps"));
        return told.isEmpty()
                ? ""
                : "; the nodes offer " + FirstFiveNames.of(told)
                        + inOtherLetters
                        + (partitions
                                ? "; AMD's device plugin names partitions there, so ask for that name, or set its"
                                        + " resource_naming_strategy to single"
                                : "");
    }

    private static String forMachines(String offered, ResourceName asked) {
        return GpuVendor.isForMachines(new ResourceName(offered)) && !GpuVendor.isForMachines(asked)
                ? " (for virtual machines)"
                : "";
    }
}
