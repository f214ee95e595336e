package dev.sluice.config;

import dev.sluice.admission.request.FallbackChains;
import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.MigTables;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.config.YamlNode.Entry;
import dev.sluice.config.YamlNode.Scalar;
import dev.sluice.text.CountText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the map of fallback chains. A map in the file replaces all default chains. */
final class ConfigChainsReader {

    /**
     * A warning is reported if a chain replaces a MIG slice by a whole GPU, and the GPU has at least this many times
     * the memory of the slice. Seven is the ratio for the smallest slice of a GPU that is divided into seven slices.
     */
    private static final int MUCH_MORE = 7;

    private final ProblemCollector problems;
    private final ConfigDeviceNames names;

    private ConfigChainsReader(ProblemCollector problems) {
        this.problems = problems;
        this.names = new ConfigDeviceNames(problems);
    }

    /** Reads the chains. Reports no warnings if they are equal to the default chains, which come with Sluice. */
    static FallbackChains read(Entry entry, KeyPath path, ProblemCollector problems) {
        ProblemCollector unseen = new ProblemCollector("");
        FallbackChains written = new ConfigChainsReader(unseen).read(entry, path);
        return !unseen.anyProblem() && written.equals(FallbackChains.DEFAULT)
                ? written
                : new ConfigChainsReader(problems).read(entry, path);
    }

    private FallbackChains read(Entry entry, KeyPath path) {
        Map<ResourceName, List<ResourceName>> byHead = new LinkedHashMap<>();
        for (Entry chain : ConfigSection.of(entry, path, problems).entries()) {
            KeyPath key = path.key(chain.key());
            Optional<ResourceName> head = names.read(chain.position(), key, "is ", chain.key());
            List<ResourceName> fallbacks = fallbacks(chain, key);
            head.ifPresent(name -> byHead.put(name, fallbacks));
        }
        warnOfWholeGpus(byHead, entry, path);
        return FallbackChains.of(byHead);
    }

    /**
     * Warns if chains give a whole GPU for a small slice. The warning names the first of these chains and the number of
     * the others.
     */
    private void warnOfWholeGpus(Map<ResourceName, List<ResourceName>> byHead, Entry map, KeyPath path) {
        List<MigProfile> small = byHead.entrySet().stream()
                .filter(chain -> chain.getValue().contains(ResourceName.NVIDIA_GPU))
                .flatMap(chain -> MigProfile.ofResource(chain.getKey()).stream())
                .filter(profile -> memoryOfGpu(profile) >= MUCH_MORE * profile.memoryGb())
                .toList();
        if (!small.isEmpty()) {
            MigProfile first = small.getFirst();
            problems.warning(
                    map.position(),
                    path,
                    "may give a whole GPU of up to " + memoryOfGpu(first) + " GB for a request of " + first.memoryGb()
                            + " GB (" + first.resource()
                            + (small.size() == 1 ? "" : ", and " + CountText.of(small.size() - 1, "chain") + " like it")
                            + ")",
                    "remove nvidia.com/gpu from the chain if that is too much");
        }
    }

    private static int memoryOfGpu(MigProfile profile) {
        return MigTables.memoryOfGpu(profile).orElse(0);
    }

    private List<ResourceName> fallbacks(Entry chain, KeyPath key) {
        return switch (chain.value()) {
            case YamlNode.Items items -> fallbacks(chain.key(), items, key);
            case YamlNode.Reported _ -> List.of();
            case YamlNode.Null _, YamlNode.Mapping _, Scalar _ -> {
                problems.problem(
                        chain.position(),
                        key,
                        "is " + chain.value().shown(),
                        "expected a list such as [nvidia.com/gpu], or [] for no fallback");
                yield List.of();
            }
        };
    }

    private List<ResourceName> fallbacks(String head, YamlNode.Items items, KeyPath key) {
        List<ResourceName> chain = new ArrayList<>();
        for (int i = 0; i < items.nodes().size(); i++) {
            YamlNode node = items.nodes().get(i);
            KeyPath item = key.item(i);
            Optional<ResourceName> name = item(node, item);
            if (name.isEmpty()) {
                continue;
            }
            if (name.get().value().equals(head)) {
                problems.problem(
                        node.position(),
                        item,
                        "is the head of its own chain",
                        "remove it, the head is always tried first");
            } else if (chain.contains(name.get())) {
                problems.problem(
                        node.position(), item, "is " + node.shown() + " for the second time", "keep the first");
            } else {
                chain.add(name.get());
            }
        }
        return chain;
    }

    private Optional<ResourceName> item(YamlNode node, KeyPath item) {
        Optional<String> text = node.text(Scalar.Kind.TEXT);
        if (text.isEmpty() && !(node instanceof YamlNode.Reported)) {
            problems.problem(
                    node.position(), item, "is " + node.shown(), "expected a resource name such as nvidia.com/gpu");
        }
        return text.flatMap(name -> names.read(node.position(), item, "is " + node.shown() + ", ", name));
    }
}
