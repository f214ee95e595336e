package dev.sluice.config.injection;

import dev.sluice.config.policy.DeviceNames;
import dev.sluice.config.tree.KeyPath;
import dev.sluice.config.tree.ProblemCollector;
import dev.sluice.config.tree.Section;
import dev.sluice.config.tree.YamlNode;
import dev.sluice.config.tree.YamlNode.Entry;
import dev.sluice.config.tree.YamlNode.Scalar;
import dev.sluice.injection.rule.Coefficient;
import dev.sluice.injection.rule.InjectionRule;
import dev.sluice.injection.rule.ResourceRule;
import dev.sluice.injection.rule.Unit;
import dev.sluice.policy.FallbackChains;
import dev.sluice.quantity.ResourceName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads what belongs to one GPU resource of one type. */
final class InjectionRuleReader {

    /** Resources of Kubernetes' own that containers may ask for. */
    private static final Pattern NATIVE =
            Pattern.compile("cpu|memory|ephemeral-storage|hugepages-[1-9][0-9]*(k|[MGT]|[KMGT]i)?");

    private static final String LABEL = "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?";

    /**
     * {@code IsQualifiedName} of apimachinery, as {@code ValidateAnnotations} has it: the domain may be left out, and
     * its letters be large.
     */
    private static final Pattern ANNOTATION = Pattern.compile(
            "((?=[^/]{1,253}/)" + LABEL + "(\\." + LABEL + ")*/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?");

    /** Rules may not write what decisions read, or the next decision would be another one. */
    private static final Pattern READ_BY_US = Pattern.compile(
            "gpu-webhook\\.k8s\\.io/.*|task\\.bkbcs\\.tencent\\.com/gpu-type|kubernetes\\.io/limit-ranger");

    private final Set<ResourceName> keysOfType;
    private final Map<ResourceName, KeyPath> chained;
    private final ProblemCollector findings;
    private final DeviceNames names;

    /**
     * @param keysOfType the GPU resources for which the type has rules
     * @param chained those that policies have in their chains, and where; what is injected would be exchanged there
     */
    InjectionRuleReader(Set<ResourceName> keysOfType, Map<ResourceName, KeyPath> chained, ProblemCollector findings) {
        this.keysOfType = keysOfType;
        this.chained = chained;
        this.findings = findings;
        this.names = new DeviceNames(findings);
    }

    InjectionRule read(Entry rule, KeyPath path) {
        Section section = Section.of(rule, path, findings);
        List<ResourceRule> resources = resources(section);
        Map<String, String> annotations = annotations(section.section("annotations"));
        section.refuseUnknown();
        return new InjectionRule(resources, annotations);
    }

    private List<ResourceRule> resources(Section section) {
        List<ResourceRule> resources = new ArrayList<>();
        Optional<Entry> list = section.value("resourceList");
        if (list.isEmpty()) {
            return resources;
        }
        KeyPath path = section.path("resourceList");
        if (!(list.get().value() instanceof YamlNode.Items items)) {
            findings.problem(
                    list.get().line(), path, "is " + list.get().value().shown(), "expected a list of resources");
            return resources;
        }
        Set<ResourceName> seen = new HashSet<>();
        for (int i = 0; i < items.nodes().size(); i++) {
            YamlNode node = items.nodes().get(i);
            KeyPath item = path.item(i);
            resource(new Entry(node.line(), "", node), item).ifPresent(resource -> {
                if (seen.add(resource.name())) {
                    resources.add(resource);
                } else {
                    findings.problem(node.line(), item, "names " + resource.name() + " a second time", "keep one");
                }
            });
        }
        if (HugePages.standAlone(resources)) {
            findings.warning(
                    list.get().line(),
                    path,
                    "has huge pages and neither cpu nor memory",
                    "add one: the API server refuses containers that have huge pages alone");
        }
        return resources;
    }

    private Optional<ResourceRule> resource(Entry entry, KeyPath path) {
        if (entry.value() instanceof YamlNode.Null) {
            findings.problem(entry.line(), path, "is null", "expected a resource");
            return Optional.empty();
        }
        Section section = Section.of(entry, path, findings);
        boolean isMap = entry.value() instanceof YamlNode.Mapping;
        Optional<ResourceName> name = name(entry.line(), section, isMap);
        Optional<Coefficient> coefficient = coefficient(entry.line(), section, isMap);
        Optional<Unit> unit = unit(section);
        warnOfValue(section);
        section.refuseUnknown();
        if (name.isEmpty() || coefficient.isEmpty() || unit.isEmpty()) {
            return Optional.empty();
        }
        ResourceRule rule = new ResourceRule(name.get(), coefficient.get(), unit.get());
        if (rule.amountFor(1).isEmpty()) {
            findings.problem(
                    entry.line(),
                    path.key("coefficient"),
                    "is " + rule.perGpu() + " with its unit",
                    "expected less than 9.2e15 for one GPU, the most that shares can be counted in");
        }
        if (HugePages.areInjected(rule) && !HugePages.areWhole(rule)) {
            findings.problem(
                    entry.line(),
                    path.key("coefficient"),
                    "is " + rule.perGpu() + " with its unit",
                    "expected whole pages for any number of GPUs: a whole multiple of "
                            + HugePages.pageSize(rule.name()) + ", or such a multiple as the unit");
        }
        return Optional.of(rule);
    }

    private Optional<ResourceName> name(int line, Section section, boolean expected) {
        Optional<Entry> entry = section.value("name");
        KeyPath path = section.path("name");
        if (entry.isEmpty()) {
            missing(line, path, "expected the resource to inject, such as cpu", expected);
            return Optional.empty();
        }
        if (!(entry.get().value() instanceof Scalar(int at, Scalar.Kind kind, String text))
                || kind != Scalar.Kind.TEXT) {
            return refuse(entry.get(), path, "expected the name of a resource, such as cpu");
        }
        if (NATIVE.matcher(text).matches()) {
            return Optional.of(new ResourceName(text));
        }
        Optional<ResourceName> name =
                names.read(at, path, "is " + entry.get().value().shown() + ", ", text);
        if (name.filter(one -> keysOfType.contains(one) || FallbackChains.NONE.isGpu(one))
                .isPresent()) {
            return refuse(entry.get(), path, "expected a resource other than the GPUs that it belongs to");
        }
        KeyPath chains = name.map(chained::get).orElse(null);
        if (chains != null) {
            return refuse(
                    entry.get(),
                    path,
                    "expected a resource other than the GPUs that " + chains
                            + " of the gateway's configuration speaks of; take it out there, or do not inject it");
        }
        return name;
    }

    private Optional<Coefficient> coefficient(int line, Section section, boolean expected) {
        Optional<Entry> entry = section.value("coefficient");
        KeyPath path = section.path("coefficient");
        if (entry.isEmpty()) {
            missing(line, path, "expected how many units belong to one GPU", expected);
            return Optional.empty();
        }
        if (!(entry.get().value() instanceof Scalar(int at, Scalar.Kind kind, String text))
                || kind != Scalar.Kind.NUMBER) {
            return refuse(entry.get(), path, "expected a number, without quotes");
        }
        Optional<Coefficient> coefficient = Coefficient.parse(text);
        if (coefficient.isEmpty()) {
            return refuse(entry.get(), path, "expected a number from 0 to 9.2e18, of at most 40 digits");
        }
        if (coefficient.get().looksRounded()) {
            findings.warning(
                    at,
                    path,
                    "is " + entry.get().value().shown() + ", taken exactly as it is written",
                    "round it up where a whole number of GPUs is to give a whole number");
        }
        return coefficient;
    }

    private Optional<Unit> unit(Section section) {
        Optional<Entry> entry = section.value("unit");
        if (entry.isEmpty()) {
            return Optional.of(Unit.NONE);
        }
        KeyPath path = section.path("unit");
        if (!(entry.get().value() instanceof Scalar(int _, Scalar.Kind kind, String text))
                || kind != Scalar.Kind.TEXT) {
            return refuse(entry.get(), path, "expected text");
        }
        Optional<Unit> unit = Unit.of(text);
        return unit.isPresent() ? unit : refuse(entry.get(), path, "expected " + Unit.KNOWN);
    }

    /** gpuinjector reads it and never looks at it. */
    private void warnOfValue(Section section) {
        Optional<Entry> entry = section.value("value");
        KeyPath path = section.path("value");
        if (entry.isPresent()) {
            if (entry.get().value() instanceof Scalar(int line, Scalar.Kind kind, String text)
                    && kind == Scalar.Kind.TEXT) {
                if (!text.isEmpty()) {
                    findings.warning(line, path, "has no effect, as in gpuinjector", "write coefficient and unit");
                }
            } else {
                findings.problem(
                        entry.get().line(), path, "is " + entry.get().value().shown(), "expected text, or nothing");
            }
        }
    }

    private Map<String, String> annotations(Section section) {
        Map<String, String> annotations = new TreeMap<>();
        for (Entry entry : section.entries()) {
            KeyPath path = section.path(entry.key());
            if (READ_BY_US.matcher(entry.key()).matches()) {
                findings.problem(entry.line(), path, "is an annotation that decisions read", "write another");
            } else if (!ANNOTATION.matcher(entry.key()).matches()) {
                findings.problem(
                        entry.line(), path, "is no key of an annotation", "expected one such as example.com/name");
            } else if (entry.value() instanceof Scalar(int _, Scalar.Kind kind, String text)
                    && kind == Scalar.Kind.TEXT) {
                annotations.put(entry.key(), text);
            } else {
                findings.problem(entry.line(), path, "is " + entry.value().shown(), "expected text, in quotes");
            }
        }
        return annotations;
    }

    private void missing(int line, KeyPath path, String fix, boolean expected) {
        if (expected) {
            findings.problem(line, path, "is missing", fix);
        }
    }

    private <T> Optional<T> refuse(Entry entry, KeyPath path, String fix) {
        findings.problem(entry.line(), path, "is " + entry.value().shown(), fix);
        return Optional.empty();
    }
}
