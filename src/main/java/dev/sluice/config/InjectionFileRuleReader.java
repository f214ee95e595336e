package dev.sluice.config;

import dev.sluice.admission.injection.InjectionCoefficient;
import dev.sluice.admission.injection.InjectionResourceRule;
import dev.sluice.admission.injection.InjectionResourceRule.Unit;
import dev.sluice.admission.injection.InjectionRule;
import dev.sluice.admission.request.FallbackChains;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.config.ConfigProblem.SourcePosition;
import dev.sluice.config.YamlNode.Entry;
import dev.sluice.config.YamlNode.Scalar.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads the rule for one GPU resource of one GPU type. */
final class InjectionFileRuleReader {

    private static final Pattern NATIVE =
            Pattern.compile("cpu|memory|ephemeral-storage|hugepages-[1-9][0-9]*(k|[MGT]|[KMGT]i)?");

    private static final String LABEL = "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?";

    /**
     * The syntax of an annotation key, as {@code ValidateAnnotations} of apimachinery checks it. The domain is optional
     * and may have upper-case letters.
     */
    private static final Pattern ANNOTATION = Pattern.compile(
            "((?=[^/]{1,253}/)" + LABEL + "(\\." + LABEL + ")*/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?");

    /**
     * The annotations that decisions read. A rule must not write them, because they would change the next decision
     * about the pod.
     */
    private static final Pattern READ_BY_DECISIONS = Pattern.compile(
            "gpu-webhook\\.k8s\\.io/.*|task\\.bkbcs\\.tencent\\.com/gpu-type|kubernetes\\.io/limit-ranger");

    private final Set<ResourceName> keysOfType;
    private final Map<ResourceName, KeyPath> chained;
    private final ProblemCollector problems;
    private final ConfigDeviceNames names;

    /**
     * Creates a reader.
     *
     * @param keysOfType the GPU resources that have a rule for this GPU type; a rule must not inject them
     * @param chained the resources in the fallback chains of policies; a rule must not inject them, because a policy
     *     could replace them
     */
    InjectionFileRuleReader(
            Set<ResourceName> keysOfType, Map<ResourceName, KeyPath> chained, ProblemCollector problems) {
        this.keysOfType = keysOfType;
        this.chained = chained;
        this.problems = problems;
        this.names = new ConfigDeviceNames(problems);
    }

    InjectionRule read(Entry rule, KeyPath path) {
        ConfigSection section = ConfigSection.of(rule, path, problems);
        List<InjectionResourceRule> resources = resources(section);
        Map<String, String> annotations = annotations(section.section("annotations"));
        section.refuseUnknown();
        return new InjectionRule(resources, annotations);
    }

    private List<InjectionResourceRule> resources(ConfigSection section) {
        KeyPath path = section.path("resourceList");
        List<YamlNode> nodes = section.items("resourceList", "expected a list of resources");
        List<InjectionResourceRule> resources = new ArrayList<>();
        Set<ResourceName> seen = new HashSet<>();
        for (int i = 0; i < nodes.size(); i++) {
            YamlNode node = nodes.get(i);
            KeyPath item = path.item(i);
            resource(new Entry(node.position(), "", node), item).ifPresent(resource -> {
                if (seen.add(resource.name())) {
                    resources.add(resource);
                } else {
                    problems.problem(node.position(), item, "names " + resource.name() + " a second time", "keep one");
                }
            });
        }
        section.value("resourceList")
                .filter(_ -> InjectionFileHugePages.standAlone(resources))
                .ifPresent(list -> problems.warning(
                        list.position(),
                        path,
                        "has huge pages and neither cpu nor memory",
                        "add one: the API server refuses containers that have huge pages alone"));
        return resources;
    }

    private Optional<InjectionResourceRule> resource(Entry entry, KeyPath path) {
        if (entry.value() instanceof YamlNode.Null) {
            problems.problem(entry.position(), path, "is null", "expected a resource");
            return Optional.empty();
        }
        ConfigSection section = ConfigSection.of(entry, path, problems);
        Optional<ResourceName> name = required(entry, section, "name", "expected the resource to inject, such as cpu")
                .flatMap(written -> name(written, section));
        Optional<InjectionCoefficient> coefficient = required(
                        entry, section, "coefficient", "expected how many units belong to one GPU")
                .flatMap(written -> coefficient(written, section));
        Optional<Unit> unit =
                section.value("unit").map(written -> unit(written, section)).orElse(Optional.of(Unit.NONE));
        warnOfValue(section);
        section.refuseUnknown();
        if (name.isEmpty() || coefficient.isEmpty() || unit.isEmpty()) {
            return Optional.empty();
        }
        InjectionResourceRule rule = new InjectionResourceRule(name.get(), coefficient.get(), unit.get());
        checkAmount(rule, entry.position(), path.key("coefficient"));
        return Optional.of(rule);
    }

    private Optional<Entry> required(Entry resource, ConfigSection section, String key, String fix) {
        Optional<Entry> written = section.value(key);
        if (written.isEmpty() && resource.value() instanceof YamlNode.Mapping) {
            problems.problem(resource.position(), section.path(key), "is missing", fix);
        }
        return written;
    }

    private void checkAmount(InjectionResourceRule rule, SourcePosition position, KeyPath path) {
        String fault = "is " + rule.perGpu() + " with its unit";
        if (rule.amountFor(1).isEmpty()) {
            problems.problem(
                    position,
                    path,
                    fault,
                    "expected less than 9.2e15 for one GPU, the most that shares can be counted in");
        }
        if (InjectionFileHugePages.areInjected(rule) && !InjectionFileHugePages.areWhole(rule)) {
            problems.problem(
                    position,
                    path,
                    fault,
                    "expected whole pages for any number of GPUs: a whole multiple of "
                            + InjectionFileHugePages.pageSize(rule.name()) + ", or such a multiple as the unit");
        }
    }

    private Optional<ResourceName> name(Entry entry, ConfigSection section) {
        YamlNode value = entry.value();
        return section.orRefuse(value.text(Kind.TEXT), entry, "expected the name of a resource, such as cpu")
                .flatMap(text -> NATIVE.matcher(text).matches()
                        ? Optional.of(new ResourceName(text))
                        : names.read(value.position(), section.path("name"), "is " + value.shown() + ", ", text)
                                .flatMap(name -> device(name, entry, section)));
    }

    /**
     * Returns the name of the device if the rule may inject it. Otherwise reports a problem and returns empty. A rule
     * must not inject a GPU, a resource that has a rule for the same GPU type, or a resource in a fallback chain.
     */
    private Optional<ResourceName> device(ResourceName name, Entry entry, ConfigSection section) {
        if (keysOfType.contains(name) || FallbackChains.NONE.isGpu(name)) {
            return section.refuse(entry, "expected a resource other than the GPUs that it belongs to");
        }
        return section.orRefuse(
                Optional.of(name).filter(device -> !chained.containsKey(device)),
                entry,
                "expected a resource other than the GPUs that " + chained.get(name)
                        + " of the gateway's configuration contains; remove it there, or do not inject it");
    }

    private Optional<InjectionCoefficient> coefficient(Entry entry, ConfigSection section) {
        YamlNode value = entry.value();
        Optional<InjectionCoefficient> coefficient = section.orRefuse(
                        value.text(Kind.NUMBER), entry, "expected a number, without quotes")
                .flatMap(text -> section.orRefuse(
                        InjectionCoefficient.parse(text),
                        entry,
                        "expected a number from 0 to 9.2e18, of at most 40 digits"));
        if (coefficient.filter(InjectionCoefficient::looksRounded).isPresent()) {
            problems.warning(
                    value.position(),
                    section.path("coefficient"),
                    "is " + value.shown() + ", taken exactly as it is written",
                    "round it up where a whole number of GPUs is to give a whole number");
        }
        return coefficient;
    }

    private static Optional<Unit> unit(Entry entry, ConfigSection section) {
        return section.orRefuse(entry.value().text(Kind.TEXT), entry, "expected text")
                .flatMap(text -> section.orRefuse(Unit.of(text), entry, "expected " + Unit.KNOWN));
    }

    /**
     * Warns about the key {@code value}, because it has no effect. The file format is that of the plugin gpuinjector,
     * which also ignores this key.
     */
    private void warnOfValue(ConfigSection section) {
        section.value("value")
                .filter(entry -> section.orRefuse(entry.value().text(Kind.TEXT), entry, "expected text, or nothing")
                        .filter(text -> !text.isEmpty())
                        .isPresent())
                .ifPresent(entry -> problems.warning(
                        entry.value().position(),
                        section.path("value"),
                        "has no effect, as in gpuinjector",
                        "write coefficient and unit"));
    }

    private Map<String, String> annotations(ConfigSection section) {
        Map<String, String> annotations = new TreeMap<>();
        for (Entry entry : section.entries()) {
            annotation(entry, section).ifPresent(text -> annotations.put(entry.key(), text));
        }
        return annotations;
    }

    private Optional<String> annotation(Entry entry, ConfigSection section) {
        KeyPath path = section.path(entry.key());
        if (READ_BY_DECISIONS.matcher(entry.key()).matches()) {
            problems.problem(entry.position(), path, "is an annotation that decisions read", "write another");
            return Optional.empty();
        }
        if (!ANNOTATION.matcher(entry.key()).matches()) {
            problems.problem(
                    entry.position(),
                    path,
                    "is not a valid key of an annotation",
                    "expected one such as example.com/name");
            return Optional.empty();
        }
        return section.orRefuse(entry.value().text(Kind.TEXT), entry, "expected text, in quotes");
    }
}
