package dev.sluice.doctor;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.MigGeometry;
import dev.sluice.cluster.MigProfile;
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
 * The MIG instances of a node, held against NVIDIA's tables.
 *
 * @param instances how many of each profile the device plugin has registered, the smallest first
 * @param gpus 0 where no label tells it
 */
public record MigLayout(NodeStudy node, SortedMap<MigProfile, Long> instances, long gpus) {

    private static final String PRODUCT_MARK = "-MIG-";
    private static final String SHARED = ".shared";

    private static final Comparator<MigProfile> BY_SIZE = Comparator.comparingInt(MigProfile::slices)
            .thenComparingInt(MigProfile::memoryGb)
            .thenComparing(MigProfile::toString);

    /** Empty for a node that neither has MIG instances nor is meant to have them. */
    public static Optional<MigLayout> of(NodeStudy node) {
        SortedMap<MigProfile, Long> instances = instances(node);
        String wanted = node.label("nvidia.com/mig.config");
        boolean meant = !wanted.isEmpty() && !wanted.equals("all-disabled");
        return instances.isEmpty() && !meant && !node.product().isInvalid()
                ? Optional.empty()
                : Optional.of(new MigLayout(node, instances, GpuHardware.gpusOf(node, GpuVendor.NVIDIA)));
    }

    private static SortedMap<MigProfile, Long> instances(NodeStudy node) {
        SortedMap<MigProfile, Long> instances = new TreeMap<>(BY_SIZE);
        if (node.product().isSlice()) {
            String product = node.product().name().replaceFirst("-SHARED$", "");
            MigProfile.parse(product.substring(product.indexOf(PRODUCT_MARK) + PRODUCT_MARK.length()))
                    .ifPresent(profile -> instances.put(profile, unshared(node, ResourceName.NVIDIA_GPU)));
        }
        node.facts().node().capacity().forEach((resource, amount) -> {
            if (amount > 0) {
                MigProfile.ofResource(resource)
                        .ifPresent(profile -> instances.merge(profile, unshared(node, resource), Long::sum));
            }
        });
        return instances;
    }

    /** A shared device is registered once for each replica. */
    private static long unshared(NodeStudy node, ResourceName resource) {
        String name = resource.value().endsWith(SHARED)
                ? resource.value().substring(0, resource.value().length() - SHARED.length())
                : resource.value();
        String replicas = node.label(name + ".replicas");
        long capacity = node.capacity(resource);
        return replicas.matches("[1-9]\\d{0,3}") ? capacity / Long.parseLong(replicas) : capacity;
    }

    /** As in {@code 2 × 1g.10gb, 1 × 3g.40gb}. */
    public String instancesText() {
        return instances.entrySet().stream()
                .map(instance -> instance.getValue() + " × " + instance.getKey())
                .collect(Collectors.joining(", "));
    }

    /** The strategy, the configuration that is wanted and its state, as the labels say it. */
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

    /** The compute slices of all instances. */
    public long slicesUsed() {
        return instances.entrySet().stream()
                .mapToLong(instance -> instance.getKey().slices() * instance.getValue())
                .sum();
    }

    /** The compute slices that the GPUs have; 0 where the model or the number of GPUs is not known. */
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

    /** What NVIDIA's tables do not allow, in a clause each; empty where the instances suit the model. */
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

    /** Equal for nodes whose models, labels and instances are the same. */
    public List<String> likeness() {
        return List.of(node.product().toString(), labelsText(), instancesText(), Long.toString(gpus));
    }
}
