package dev.sluice.doctor;

import dev.sluice.cluster.AlikeGpuNames;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.MigGeometry;
import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Compares the MIG instances of a node with the profiles that NVIDIA documents for its GPU model.
 *
 * @param instances the number of registered instances of each profile, the smallest profile first
 * @param gpus the number of GPUs; 0 if no label contains it
 */
public record DiagnosedMigLayout(DiagnosedNode node, SortedMap<MigProfile, Long> instances, long gpus) {

    private static final String PRODUCT_MARK = "-MIG-";

    private static final Comparator<MigProfile> BY_SIZE = Comparator.comparingInt(MigProfile::slices)
            .thenComparingInt(MigProfile::memoryGb)
            .thenComparing(MigProfile::toString);

    /** Returns the layout of a node; empty if the node has no MIG instances and is not configured to have any. */
    public static Optional<DiagnosedMigLayout> of(DiagnosedNode node) {
        SortedMap<MigProfile, Long> instances = instances(node);
        String wanted = node.label("nvidia.com/mig.config");
        boolean meant = !wanted.isEmpty() && !wanted.equals("all-disabled");
        return instances.isEmpty() && !meant && !node.product().isInvalid()
                ? Optional.empty()
                : Optional.of(new DiagnosedMigLayout(node, instances, GpuHardware.gpusOf(node, GpuVendor.NVIDIA)));
    }

    private static SortedMap<MigProfile, Long> instances(DiagnosedNode node) {
        SortedMap<MigProfile, Long> instances = new TreeMap<>(BY_SIZE);
        if (node.product().isSlice()) {
            String product = node.product().name().replaceFirst("-SHARED$", "");
            MigProfile.parse(product.substring(product.indexOf(PRODUCT_MARK) + PRODUCT_MARK.length()))
                    .ifPresent(profile -> instances.put(profile, unshared(node, ResourceName.NVIDIA_GPU)));
        }
        node.facts().node().capacity().forEach((resource, amount) -> {
            if (amount > 0) {
                MigProfile.ofResource(resource)
                        .ifPresent(
                                profile -> instances.merge(profile, unshared(node, resource), Amounts::saturatedSum));
            }
        });
        return instances;
    }

    /**
     * Returns the number of physical devices. The capacity is divided by the replicas, because the device plugin
     * registers a shared device once for each replica.
     */
    private static long unshared(DiagnosedNode node, ResourceName resource) {
        String replicas = node.label(AlikeGpuNames.unshared(resource) + ".replicas");
        long capacity = node.capacity(resource);
        return replicas.matches("[1-9]\\d{0,3}") ? capacity / Long.parseLong(replicas) : capacity;
    }

    /** Returns the instances as text, for example {@code 2 × 1g.10gb, 1 × 3g.40gb}. */
    public String instancesText() {
        return instances.entrySet().stream()
                .map(instance -> instance.getValue() + " × " + instance.getKey())
                .collect(Collectors.joining(", "));
    }

    /** Returns the MIG strategy, the wanted configuration and the state of the change, as the labels contain them. */
    public String labelsText() {
        String state = node.label("nvidia.com/mig.config.state");
        return List.of(
                        named("strategy ", node.label("nvidia.com/mig.strategy")),
                        node.label("nvidia.com/mig.config") + (state.isEmpty() ? "" : " (" + state + ")"))
                .stream()
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private static String named(String lead, String text) {
        return text.isEmpty() ? "" : lead + text;
    }

    /** Returns the number of compute slices that all instances use. */
    public long slicesUsed() {
        return instances.entrySet().stream()
                .mapToLong(instance -> Amounts.saturatedProduct(
                        instance.getValue(), instance.getKey().slices()))
                .reduce(0, Amounts::saturatedSum);
    }

    /** Returns the number of compute slices of all GPUs; 0 if the model or the number of GPUs is not known. */
    public long slices() {
        return node.product().isUnknown()
                ? 0
                : gpus
                        * node.product().models().stream()
                                .mapToLong(model -> MigGeometry.mostPerGpu(
                                        model, model.profiles().getFirst()))
                                .max()
                                .orElse(0);
    }

    /** Returns a clause for each way in which the instances do not fit the model; empty if they fit. */
    public List<String> contradictions() {
        List<String> found = new ArrayList<>();
        for (Map.Entry<MigProfile, Long> instance : instances.entrySet()) {
            MigProfile profile = instance.getKey();
            long most = node.product().models().stream()
                    .mapToLong(model -> MigGeometry.mostPerGpu(model, profile))
                    .max()
                    .orElse(0);
            if (!node.product().canHave(profile)) {
                found.add("the model has no " + profile);
            } else if (gpus > 0 && most > 0 && instance.getValue() > most * gpus) {
                found.add(instance.getValue() + " × " + profile + " are more than the " + most + " that each GPU has");
            }
        }
        return found;
    }

    /** Returns a key that is equal for nodes with the same model, labels and instances. */
    public List<String> likeness() {
        return List.of(node.product().toString(), labelsText(), instancesText(), Long.toString(gpus));
    }
}
