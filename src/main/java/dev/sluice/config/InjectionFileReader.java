package dev.sluice.config;

import dev.sluice.admission.injection.InjectionRule;
import dev.sluice.admission.injection.InjectionRules;
import dev.sluice.admission.injection.InjectionRules.GpuTypes;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.config.ConfigProblem.SourcePosition;
import dev.sluice.config.YamlNode.Entry;
import dev.sluice.config.YamlNode.Scalar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the injection file. It has the format of gpuinjector, a plugin of bk-bcs-webhook-server. */
final class InjectionFileReader {

    private final ProblemCollector problems;
    private final ConfigDeviceNames names;
    private final Map<ResourceName, KeyPath> chained;

    /**
     * Creates a reader.
     *
     * @param chained the GPU resources in the fallback chains of policies, each with the key that names it
     */
    public InjectionFileReader(Map<ResourceName, KeyPath> chained, ProblemCollector problems) {
        this.chained = chained;
        this.problems = problems;
        this.names = new ConfigDeviceNames(problems);
    }

    /** Returns the rules. Returns empty if there is any problem. */
    public Optional<InjectionRules> read(YamlNode root) {
        ConfigSection file = ConfigSection.of(new Entry(root.position(), "", root), KeyPath.ROOT, problems);
        ConfigSection defaults = file.section("resourceMap");
        ConfigSection namespaces = file.section("namespaceResourceMap");
        GpuTypes base = types(defaults, keys(defaults));
        Map<String, GpuTypes> overlaid = new LinkedHashMap<>();
        for (Entry entry : namespaces.entries()) {
            KeyPath path = namespaces.path(entry.key());
            checkNamespace(entry.position(), path, "is", entry.key());
            overlaid.put(entry.key(), types(ConfigSection.of(entry, path, problems), keys(defaults, mapOf(entry))));
        }
        Set<String> skipped = skipped(file);
        file.refuseUnknown();
        return problems.anyProblem() ? Optional.empty() : Optional.of(new InjectionRules(base, overlaid, skipped));
    }

    /**
     * Returns the value of the entry as a section. Reports no problems, because the reader of the rules reports them
     * later.
     */
    private static ConfigSection mapOf(Entry entry) {
        return ConfigSection.of(entry, KeyPath.ROOT, new ProblemCollector(""));
    }

    /**
     * Returns the GPU resources that have rules, by GPU type. No rule of a GPU type may inject the resources of that
     * type.
     *
     * @param both the default section and the section of a namespace, or only the default section
     */
    private static Map<String, Set<ResourceName>> keys(ConfigSection... both) {
        Map<String, Set<ResourceName>> keys = new HashMap<>();
        for (ConfigSection types : both) {
            for (Entry type : types.entries()) {
                for (Entry rule : mapOf(type).entries()) {
                    keys.computeIfAbsent(type.key(), _ -> new HashSet<>()).add(new ResourceName(rule.key()));
                }
            }
        }
        return keys;
    }

    private GpuTypes types(ConfigSection section, Map<String, Set<ResourceName>> keys) {
        Map<String, Map<ResourceName, InjectionRule>> byType = new LinkedHashMap<>();
        for (Entry type : section.entries()) {
            KeyPath path = section.path(type.key());
            if (type.key().isBlank()) {
                problems.problem(
                        type.position(), path, "is no GPU type", "expected what pods have in their annotation");
            }
            Map<ResourceName, InjectionRule> rules = new LinkedHashMap<>();
            for (Entry rule : ConfigSection.of(type, path, problems).entries()) {
                KeyPath key = path.key(rule.key());
                Optional<ResourceName> name = names.read(rule.position(), key, "is ", rule.key());
                InjectionRule read = new InjectionFileRuleReader(
                                keys.getOrDefault(type.key(), Set.of()), chained, problems)
                        .read(rule, key);
                name.ifPresent(resource -> rules.put(resource, read));
            }
            byType.put(type.key(), rules);
        }
        return new GpuTypes(byType);
    }

    private Set<String> skipped(ConfigSection file) {
        Set<String> skipped = new HashSet<>();
        KeyPath path = file.path("namespaceWhiteList");
        List<YamlNode> nodes = file.items("namespaceWhiteList", "expected a list of namespaces");
        for (int i = 0; i < nodes.size(); i++) {
            YamlNode node = nodes.get(i);
            Optional<String> text = node.text(Scalar.Kind.TEXT);
            if (text.isPresent()) {
                checkNamespace(node.position(), path.item(i), "is " + node.shown() + ",", text.get());
                skipped.add(text.get());
            } else {
                problems.problem(
                        node.position(), path.item(i), "is " + node.shown(), "expected the name of a namespace");
            }
        }
        return skipped;
    }

    /**
     * Warns about a name that no namespace can have. The file format is that of the plugin gpuinjector, which accepts
     * such a name and ignores it. Therefore this is a warning and not a problem.
     */
    private void checkNamespace(SourcePosition position, KeyPath path, String subject, String namespace) {
        if (!ConfigPolicyReader.isNamespace(namespace)) {
            problems.warning(position, path, subject + " no name that a namespace can have", "correct it or remove it");
        }
    }
}
