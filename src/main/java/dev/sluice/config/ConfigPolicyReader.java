package dev.sluice.config;

import dev.sluice.admission.request.FallbackChains;
import dev.sluice.admission.request.NamespaceGlob;
import dev.sluice.admission.request.Policies;
import dev.sluice.admission.request.Policy;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.config.YamlNode.Entry;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads the base policy and the policies of namespaces. The keys of a namespace's policy override the same keys of the
 * base policy.
 */
final class ConfigPolicyReader {

    /**
     * The syntax of the name of a namespace (RFC 1123 label), which may also contain {@code *} and {@code ?} as
     * wildcards.
     */
    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9*?]([a-z0-9*?-]{0,61}[a-z0-9*?])?");

    /** The maximum length of the help text in characters. Users read it in a denial on their terminal. */
    private static final int LONGEST_HELP = 200;

    private final ProblemCollector problems;
    private final Map<ResourceName, KeyPath> chained = new LinkedHashMap<>();

    public ConfigPolicyReader(ProblemCollector problems) {
        this.problems = problems;
    }

    public Policies read(ConfigSection section) {
        Policy base = policy(section, Policy.DEFAULT);
        ConfigSection namespaces = section.section("namespaces");
        section.refuseUnknown();
        Map<NamespaceGlob, Policy> overlaid = new LinkedHashMap<>();
        for (Entry entry : namespaces.entries()) {
            KeyPath key = namespaces.path(entry.key());
            checkNamespace(entry, key);
            ConfigSection overlay = ConfigSection.of(entry, key, problems);
            overlaid.put(new NamespaceGlob(entry.key()), policy(overlay, base));
            overlay.refuseUnknown();
        }
        return new Policies(base, overlaid);
    }

    /** Returns true if a namespace can have this name. Returns false for patterns with {@code *} or {@code ?}. */
    public static boolean isNamespace(String text) {
        return NAMESPACE.matcher(text).matches() && text.indexOf('*') < 0 && text.indexOf('?') < 0;
    }

    private void checkNamespace(Entry entry, KeyPath key) {
        if (!NAMESPACE.matcher(entry.key()).matches()) {
            problems.problem(
                    entry.position(),
                    key,
                    "is no namespace",
                    "expected at most 63 of a-z, 0-9, - (not at the ends), and * or ? for any");
        }
    }

    /**
     * Returns all resources that occur in fallback chains, each with the path of a key {@code chains} that contains it.
     */
    public Map<ResourceName, KeyPath> chained() {
        return Collections.unmodifiableMap(chained);
    }

    private Policy policy(ConfigSection section, Policy base) {
        Policy policy = new Policy(
                section.choice("mode", Policy.Mode.class).orElse(base.mode()),
                section.choice("whenNotOffered", Policy.WhenNotOffered.class).orElse(base.whenNotOffered()),
                section.choice("whenClusterHasNoGpu", Policy.WhenClusterHasNoGpu.class)
                        .orElse(base.whenClusterHasNoGpu()),
                section.choice("whenExhausted", Policy.WhenExhausted.class).orElse(base.whenExhausted()),
                section.choice("whenStale", Policy.WhenStale.class).orElse(base.whenStale()),
                chains(section).orElse(base.chains()),
                section.choice("whenUnreadable", Policy.WhenUnreadable.class).orElse(base.whenUnreadable()),
                section.line("helpText", LONGEST_HELP).orElse(base.helpText()),
                section.choice("fallbackMessage", Policy.FallbackMessage.class).orElse(base.fallbackMessage()),
                section.choice("preemption", Policy.PreemptionMode.class).orElse(base.preemption()),
                section.choice("whenGated", Policy.WhenGated.class).orElse(base.whenGated()),
                section.choice("enforcement", Policy.Enforcement.class).orElse(base.enforcement()),
                section.choice("observedMessage", Policy.ObservedMessage.class).orElse(base.observedMessage()));
        policy.chains().names().forEach(name -> chained.putIfAbsent(name, section.path("chains")));
        return policy;
    }

    private Optional<FallbackChains> chains(ConfigSection section) {
        return section.value("chains").map(entry -> ConfigChainsReader.read(entry, section.path("chains"), problems));
    }
}
