package dev.sluice.doctor;

import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.NodeBundle.GpuLine;
import dev.sluice.doctor.NodeBundle.Xid;
import dev.sluice.doctor.NodeBundleFinding.BundleCode;
import dev.sluice.doctor.facts.NodeFacts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds differences between the API server's data about a node and the output of the script of {@code sluice doctor
 * node} on that node.
 */
public final class NodeBundleRules {

    private static final String NVIDIA = "nvidia.com/";

    private final NodeBundle bundle;
    private final NodeFacts node;
    private final List<NodeBundleFinding> findings = new ArrayList<>();

    private NodeBundleRules(NodeBundle bundle, NodeFacts node) {
        this.bundle = bundle;
        this.node = node;
    }

    /** Returns the findings in the order of their codes. */
    public static List<NodeBundleFinding> findings(NodeBundle bundle, NodeFacts node) {
        NodeBundleRules rules = new NodeBundleRules(bundle, node);
        rules.driver();
        rules.xids();
        rules.migMode();
        rules.migInstances();
        rules.registered();
        rules.plugin();
        return List.copyOf(rules.findings);
    }

    private void add(BundleCode code, String explanation) {
        findings.add(new NodeBundleFinding(code, explanation));
    }

    /**
     * Checks the driver. If no kernel module is loaded, does not report the error of nvidia-smi, because nvidia-smi
     * cannot work without the module.
     */
    private void driver() {
        if (bundle.driver().isEmpty()) {
            add(
                    BundleCode.DRIVER_NOT_LOADED,
                    "The kernel module of NVIDIA's driver is not loaded. Look at the driver's pod or package.");
            return;
        }
        String module = bundle.driver().get();
        Set<String> libraries =
                bundle.gpus().stream().map(GpuLine::driver).collect(Collectors.toCollection(TreeSet::new));
        libraries.remove(module);
        boolean mismatch = bundle.complaint()
                .filter(said -> said.contains("version mismatch"))
                .isPresent();
        if (mismatch || !libraries.isEmpty()) {
            add(
                    BundleCode.DRIVER_MISMATCH,
                    "The loaded kernel module has version " + module + ", and the driver's libraries have "
                            + (libraries.isEmpty() ? "another one" : String.join(", ", libraries))
                            + ": the driver was updated, and the node has not been restarted since.");
        } else {
            bundle.complaint().ifPresent(said -> add(BundleCode.SMI_FAILED, "nvidia-smi says: " + said));
        }
    }

    private void xids() {
        Map<Xid, Integer> counts = new LinkedHashMap<>();
        bundle.xids().forEach(xid -> counts.merge(xid, 1, Integer::sum));
        counts.forEach((xid, count) -> add(
                BundleCode.XID_ERRORS,
                "Xid " + xid.code() + " on GPU " + xid.busId() + (count == 1 ? "" : ", " + count + " times") + ": "
                        + XidMeaning.of(xid.code())
                                .map(known -> known.means() + ". " + known.cure())
                                .orElse("NVIDIA's catalog of Xid errors has its meaning.")));
    }

    private void migMode() {
        for (GpuLine gpu : bundle.gpus()) {
            if (!gpu.mig().equals(gpu.migAfterReset())) {
                add(
                        BundleCode.MIG_MODE_PENDING,
                        "The MIG mode of GPU " + gpu.busId() + " is " + gpu.mig() + ", and " + gpu.migAfterReset()
                                + " after the GPU's next reset.");
            }
        }
        if (!bundle.gpus().isEmpty() && bundle.gpus().stream().noneMatch(GpuLine::hasMigOn)) {
            migResources()
                    .forEach(resource -> add(
                            BundleCode.MIG_MODE_CONTRADICTS_NODE,
                            "The cluster has " + node.node().capacity().get(resource) + " " + resource
                                    + " on this node, but MIG is on for none of its GPUs. Restart the device plugin."));
        }
    }

    private Set<ResourceName> migResources() {
        Set<ResourceName> mig = new TreeSet<>();
        node.node().capacity().forEach((name, amount) -> {
            if (amount > 0 && MigProfile.ofResource(name).isPresent()) {
                mig.add(name);
            }
        });
        return mig;
    }

    /**
     * Compares the number of MIG instances with the capacity of the node. Two cases cannot be compared and are left
     * out: with the MIG strategy "single", the instances are registered as {@code nvidia.com/gpu}, and shared instances
     * are registered several times.
     */
    private void migInstances() {
        boolean anyOn = bundle.gpus().stream().anyMatch(GpuLine::hasMigOn);
        if (!anyOn || node.label(NVIDIA + "mig.strategy").equals("single")) {
            return;
        }
        Set<ResourceName> all = migResources();
        all.addAll(bundle.migInstances().keySet());
        for (ResourceName resource : all) {
            long offered = node.node().capacity().get(resource);
            long there = bundle.migInstances().getOrDefault(resource, 0);
            if (offered != there && !isShared(resource)) {
                add(
                        BundleCode.MIG_INSTANCES_DIFFER,
                        "The node has " + there + " MIG instances for " + resource + ", and the cluster has " + offered
                                + ". The device plugin registers instances when it starts: restart it.");
            }
        }
    }

    private boolean isShared(ResourceName resource) {
        return !Set.of("", "1").contains(node.label(resource + ".replicas"));
    }

    private void registered() {
        bundle.registered().forEach((resource, devices) -> {
            long offered = node.node().capacity().get(resource);
            if (resource.value().startsWith(NVIDIA) && offered != devices) {
                add(
                        BundleCode.REGISTERED_DIFFERS,
                        "The kubelet has " + devices + " devices of " + resource + " registered, and the cluster has "
                                + offered
                                + ". The kubelet reports them when the plugin registers: restart the plugin.");
            }
        });
    }

    private void plugin() {
        boolean missing = bundle.sockets()
                .filter(files -> files.stream().noneMatch(file -> file.startsWith("nvidia") && file.endsWith(".sock")))
                .isPresent();
        if (missing) {
            add(
                    BundleCode.PLUGIN_SOCKET_MISSING,
                    "The kubelet's directory of device plugins has no socket of NVIDIA's: the plugin does not run here.");
        }
        if (!bundle.runtimeKnowsNvidia()) {
            add(
                    BundleCode.RUNTIME_NOT_CONFIGURED,
                    "No configuration of a container runtime, and no CDI file, names nvidia: containers get no devices."
                            + " Run nvidia-ctk runtime configure, and restart the runtime.");
        }
    }
}
