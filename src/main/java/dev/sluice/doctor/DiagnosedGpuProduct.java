package dev.sluice.doctor;

import dev.sluice.cluster.GpuModel;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.MigGeometry;
import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.MigTables;
import dev.sluice.doctor.facts.NodeFacts;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Describes the GPU model of a node, as it is named in the label {@code nvidia.com/gpu.product}.
 *
 * @param name the value of the label; empty if the node does not have the label
 * @param models the MIG-capable models that match the label; empty if the GPU does not support MIG
 */
public record DiagnosedGpuProduct(String name, List<GpuModel> models) {

    public static final String LABEL = "nvidia.com/gpu.product";

    /**
     * Names the label that contains the GPU memory in mebibytes. For a GPU with 80 GB, the value is 81,920 or 81,559.
     */
    private static final String MEMORY = "nvidia.com/gpu.memory";

    /** Matches GPUs that do not support MIG: some models of the Ampere generation and later, and all older models. */
    private static final Pattern WITHOUT_MIG =
            Pattern.compile("(tesla-)?([tvpkm]\\d+|v100s?|l4|l20?|l40s?|a10g?m?|a16|a2|a40|gb10)(-.*)?"
                    + "|.*(geforce|quadro|titan|rtx-?a\\d|ada|orin|thor|tegra).*"
                    + "|tesla-.*|.*rtx-[2-6]\\d{3}.*|rtx-pro-[1-3]\\d{3}.*|rtx-pro-4000.*");

    private static final long LARGE_A100_MIB = 60_000;
    private static final long LARGE_RTX_PRO_5000_MIB = 60_000;
    private static final long H100_NVL_MIB = 90_000;
    private static final long H100_96_MIB = 97_000;
    private static final long H200_MIB = 120_000;

    /** Returns the different products of the nodes with NVIDIA's GPUs. */
    static List<DiagnosedGpuProduct> ofAll(List<DiagnosedNode> nodes) {
        return nodes.stream()
                .filter(node -> node.has(GpuVendor.NVIDIA))
                .map(DiagnosedNode::product)
                .distinct()
                .toList();
    }

    static DiagnosedGpuProduct of(NodeFacts node) {
        String name = node.label(LABEL);
        if (node.label("nvidia.com/mig.capable").equals("false")) {
            return new DiagnosedGpuProduct(name, List.of());
        }
        // With the MIG strategy "single", the label contains the memory of a MIG instance, so it does not identify the
        // model.
        long memory =
                name.contains("-MIG-") ? GpuHardwareLabelNumber.UNKNOWN : GpuHardwareLabelNumber.of(node.label(MEMORY));
        return new DiagnosedGpuProduct(name, models(name, memory));
    }

    /**
     * Returns the models that match the product name and the memory. The memory takes precedence, because a name can
     * mislead: an H20-3e has the memory of an H200.
     */
    private static List<GpuModel> models(String product, long memory) {
        String text = product.toLowerCase(Locale.ROOT)
                .replaceFirst("^nvidia-", "")
                .replaceFirst("-shared$", "")
                .replaceFirst("-mig-.*$", "");
        if (text.isEmpty()) {
            return List.of(GpuModel.values());
        }
        if (WITHOUT_MIG.matcher(text).matches()) {
            return List.of();
        }
        return text.startsWith("gb") || text.startsWith("gh") || text.startsWith("b")
                ? blackwellOrGrace(text, memory)
                : hopperOrOlder(text, memory);
    }

    private static List<GpuModel> blackwellOrGrace(String text, long memory) {
        if (text.startsWith("gb300")) {
            return List.of(GpuModel.GB300);
        }
        if (text.startsWith("gb200")) {
            return List.of(GpuModel.GB200);
        }
        if (text.startsWith("b300")) {
            return List.of(GpuModel.B300);
        }
        if (text.startsWith("b200")) {
            return List.of(GpuModel.B200);
        }
        if (text.startsWith("gh200")) {
            boolean large = memory > 0 ? memory > H200_MIB : text.contains("144") || text.contains("hbm3e");
            return List.of(large ? GpuModel.GH200_144 : GpuModel.H100_96);
        }
        return List.of(GpuModel.values());
    }

    private static List<GpuModel> hopperOrOlder(String text, long memory) {
        if (text.matches("h[128]\\d+.*") || text.startsWith("pg506")) {
            return List.of(hopper(text, memory));
        }
        if (text.matches("a[18]00.*")) {
            return ampere(text, memory);
        }
        if (text.matches("a30(-.*)?")) {
            return List.of(GpuModel.A30);
        }
        if (text.startsWith("rtx-pro-6000")) {
            return List.of(GpuModel.RTX_PRO_6000);
        }
        if (text.startsWith("rtx-pro-5000")) {
            boolean large = memory > 0 ? memory > LARGE_RTX_PRO_5000_MIB : text.contains("72");
            return List.of(large ? GpuModel.RTX_PRO_5000_72 : GpuModel.RTX_PRO_5000);
        }
        return text.startsWith("rtx-pro-4500") ? List.of(GpuModel.RTX_PRO_4500) : List.of(GpuModel.values());
    }

    private static GpuModel hopper(String text, long memory) {
        if (memory >= H100_NVL_MIB) {
            return memory > H200_MIB ? GpuModel.H200_141 : memory > H100_96_MIB ? GpuModel.H100_96 : GpuModel.H100_94;
        }
        if (memory > LARGE_A100_MIB) {
            return GpuModel.H100_80;
        }
        if (text.startsWith("h200") || text.startsWith("h20-3e") || text.contains("141gb")) {
            return GpuModel.H200_141;
        }
        if (text.startsWith("h20") || text.startsWith("pg506") || text.contains("96gb") || text.contains("64gb")) {
            return GpuModel.H100_96;
        }
        return text.contains("nvl") || text.contains("94gb") ? GpuModel.H100_94 : GpuModel.H100_80;
    }

    private static List<GpuModel> ampere(String text, long memory) {
        if (memory > 0 ? memory > LARGE_A100_MIB : text.contains("80g")) {
            return List.of(GpuModel.A100_80);
        }
        return text.contains("40g") || memory > 0
                ? List.of(GpuModel.A100_40)
                : List.of(GpuModel.A100_40, GpuModel.A100_80);
    }

    /** Returns true if the model is not known, so that the GPU can be any model. */
    public boolean isUnknown() {
        return models.size() == GpuModel.values().length;
    }

    public boolean isInvalid() {
        return name.endsWith("-MIG-INVALID");
    }

    /**
     * Returns true if the label for the number of GPUs counts MIG instances instead. This is the case with the MIG
     * strategy "single".
     */
    public boolean isSlice() {
        return name.contains("-MIG-") && !isInvalid();
    }

    /** Returns true if the device plugin can register the profile for a GPU of this product. */
    public boolean canHave(MigProfile profile) {
        return profile.isWholeInstance()
                && (isUnknown()
                        ? MigTables.isKnown(profile)
                        : models.stream().flatMap(GpuModel::seen).anyMatch(profile::equals));
    }

    /**
     * Returns the largest number of instances of the profile on one GPU. If several models match, returns the largest
     * number of all of them.
     */
    long mostPerGpu(MigProfile profile) {
        return profile.isWholeInstance()
                ? over(models.stream().mapToLong(it -> MigGeometry.mostPerGpu(it, profile)))
                : 0;
    }

    long balancedPerGpu(MigProfile profile) {
        return over(models.stream().mapToLong(it -> MigGeometry.balanced(it).getOrDefault(profile, 0L)));
    }

    long balancedPerGpu() {
        return over(models.stream()
                .mapToLong(it -> MigGeometry.balanced(it).values().stream()
                        .mapToLong(Long::longValue)
                        .sum()));
    }

    private static long over(LongStream numbers) {
        return numbers.max().orElse(0);
    }

    /** Returns all profiles of the matching models, with NVIDIA's names. */
    public Stream<MigProfile> profiles() {
        return Arrays.stream(GpuModel.values()).filter(models::contains).flatMap(it -> it.profiles().stream());
    }
}
