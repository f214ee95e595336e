package dev.sluice.doctor;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.PodDemandFacts;
import dev.sluice.doctor.facts.PodFacts.Message;
import dev.sluice.doctor.facts.QuotaFacts;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds owners whose next pod would exceed a ResourceQuota. This is known from the API server's message, or from the
 * numbers of the quota.
 */
final class QuotaRule {

    private static final String REQUESTS = "requests.";
    private static final int MILLI_SCALE = 3;

    private static final Pattern QUOTA =
            Pattern.compile("exceeded quota|failed quota|insufficient quota|status unknown for quota");

    /** Matches the API server's message about a quota whose usage the quota controller has not counted yet. */
    private static final Pattern UNKNOWN = Pattern.compile("status unknown for quota: ([^:, ]+)");

    /**
     * Matches the API server's message about a pod whose namespace has no quota for it. The API server can be
     * configured to require a quota for some pods. GKE requires one for pods of the two critical priority classes.
     */
    private static final Pattern NOT_COVERED = Pattern.compile("insufficient quota to (match these scopes|consume): ");

    private static final Pattern FAILED = Pattern.compile("failed quota: ([^: ]+)");

    /**
     * Matches a resource for which the quota requires a value that the pod does not set. Old API servers separate these
     * resources by commas; newer API servers add the names of the containers after each resource.
     */
    private static final Pattern MISSING = Pattern.compile(
            "(?:: must specify |\\G(?!^)(?:,|; ))([\\w./-]*\\w)(?: for: ([a-z0-9-]++(?:,[a-z0-9-]++)*+))?");

    private final Map<String, List<QuotaFacts>> quotas;

    public QuotaRule(ClusterFacts cluster) {
        quotas = cluster.quotas().stream().collect(Collectors.groupingBy(QuotaFacts::namespace));
    }

    /** Returns true if the message says that a quota is the reason. */
    public static boolean isBlamedBy(String message) {
        return QUOTA.matcher(message).find();
    }

    /**
     * Returns the cause if a quota forbids the next pod. The numbers of the quota are compared only if the owner has no
     * message, because a message is more reliable.
     */
    public Optional<DiagnosisCause> find(DiagnosedOwner owner) {
        Optional<String> said = owner.failure().map(Message::text);
        return said.isPresent()
                ? said.filter(QuotaRule::isBlamedBy).map(text -> told(owner, text))
                : owner.template().flatMap(template -> counted(owner, template));
    }

    private DiagnosisCause told(DiagnosedOwner owner, String message) {
        Optional<ExceededQuota> exceeded = ExceededQuota.in(message);
        if (exceeded.isPresent()) {
            String fact = "quota " + exceeded.get().name() + " is exceeded: " + overdrawn(exceeded.get());
            return cause(
                    owner,
                    fact + "." + notAsked(owner, exceeded.get()) + owner.says(message),
                    fact,
                    Set.of(exceeded.get().name()));
        }
        Matcher failed = FAILED.matcher(message);
        if (failed.find()) {
            String missing = missing(message);
            String fact = "quota " + failed.group(1)
                    + (missing.isEmpty() ? " forbids the next pod" : " wants the pod to specify " + missing);
            return cause(owner, fact + "." + owner.says(message), fact, Set.of(failed.group(1)));
        }
        Matcher unknown = UNKNOWN.matcher(message);
        if (unknown.find()) {
            String fact = "the usage of quota " + unknown.group(1) + " is not known";
            return cause(
                    owner,
                    fact + ", because the quota controller has not counted it since the quota was made or changed. If"
                            + " that lasts, look at the log of kube-controller-manager." + owner.says(message),
                    fact,
                    Set.of(unknown.group(1)));
        }
        if (NOT_COVERED.matcher(message).find()) {
            String fact =
                    "the API server allows such a pod only where a quota of the namespace covers it, and none does";
            return cause(
                    owner,
                    fact + ": make a ResourceQuota for what the message names, or leave that out of the pod."
                            + owner.says(message),
                    fact,
                    Set.of());
        }
        return cause(owner, "a quota of the namespace forbids the next pod." + owner.says(message), message, Set.of());
    }

    private static String overdrawn(ExceededQuota exceeded) {
        Map<String, String> used = numbers(exceeded.used());
        Map<String, String> hard = numbers(exceeded.limited());
        List<String> keys = new ArrayList<>();
        numbers(exceeded.requested())
                .forEach((key, requested) -> keys.add(key + ": " + requested + " requested, "
                        + used.getOrDefault(key, "?") + " used, " + hard.getOrDefault(key, "?") + " hard"));
        return String.join("; ", keys);
    }

    /**
     * Returns a sentence about devices that exceed the quota although the pod template does not request them; empty if
     * there are none. An admission webhook or a LimitRange has added such devices to the pod.
     */
    private static String notAsked(DiagnosedOwner owner, ExceededQuota exceeded) {
        String given = numbers(exceeded.requested()).keySet().stream()
                .filter(key -> key.startsWith(REQUESTS) && key.contains("/"))
                .map(key -> key.substring(REQUESTS.length()))
                .filter(name -> owner.template()
                        .filter(template -> !template.requests().has(new ResourceName(name)))
                        .isPresent())
                .collect(Collectors.joining(", "));
        return given.isEmpty()
                ? ""
                : " The " + owner.kind() + " does not request " + given
                        + "; an admission webhook such as Sluice, or a LimitRange, added it. Raise the quota, or remove "
                        + given + " from the fallback chains of the namespace.";
    }

    private static String missing(String message) {
        return MISSING.matcher(message)
                .results()
                .map(key -> key.group(1) + containers(key.group(2)))
                .collect(Collectors.joining(", "));
    }

    private static String containers(@Nullable String names) {
        return names == null
                ? ""
                : names.contains(",") ? " (containers " + names.replace(",", ", ") + ")" : " (container " + names + ")";
    }

    private static Map<String, String> numbers(String list) {
        Map<String, String> numbers = new TreeMap<>();
        for (String pair : list.split(",", -1)) {
            int equal = pair.indexOf('=');
            if (equal > 0) {
                numbers.put(
                        pair.substring(0, equal).strip(),
                        pair.substring(equal + 1).strip());
            }
        }
        return numbers;
    }

    private Optional<DiagnosisCause> counted(DiagnosedOwner owner, PodDemandFacts template) {
        Set<String> names = new TreeSet<>();
        List<String> facts = new ArrayList<>();
        for (QuotaFacts quota : quotas.getOrDefault(owner.namespace(), List.of())) {
            if (quota.covers(template)) {
                quota.hard().keySet().stream()
                        .sorted()
                        .filter(key -> key.startsWith(REQUESTS))
                        .flatMap(key -> over(quota, key, template.requests()).stream())
                        .forEach(fact -> {
                            facts.add(fact);
                            names.add(quota.name());
                        });
            }
        }
        String fact = String.join("; ", facts);
        return facts.isEmpty() ? Optional.empty() : Optional.of(cause(owner, fact + ".", fact, names));
    }

    private static Optional<String> over(QuotaFacts quota, String key, Amounts requests) {
        ResourceName resource = new ResourceName(key.substring(REQUESTS.length()));
        long asked = requests.get(resource);
        Quantity used = quota.used().getOrDefault(key, Quantity.ZERO);
        Quantity hard = quota.hard().getOrDefault(key, Quantity.ZERO);
        boolean exceeded =
                asked > 0 && used.amount().add(units(resource, asked)).compareTo(hard.amount()) > 0;
        return exceeded
                ? Optional.of("quota " + quota.name() + " leaves no room: " + key + ": "
                        + units(resource, asked).toPlainString() + " requested, " + used.text() + " used, "
                        + hard.text() + " hard")
                : Optional.empty();
    }

    private static BigDecimal units(ResourceName resource, long amount) {
        return resource.equals(ResourceName.CPU)
                ? BigDecimal.valueOf(amount, MILLI_SCALE).stripTrailingZeros()
                : BigDecimal.valueOf(amount);
    }

    /**
     * Returns a cause whose evidence contains the numbers of the given quotas.
     *
     * @param names the names of the quotas; empty if the message names none
     */
    private DiagnosisCause cause(DiagnosedOwner owner, String text, String fact, Set<String> names) {
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(Evidence.ofSubject(fact));
        quotas.getOrDefault(owner.namespace(), List.of()).stream()
                .filter(it -> names.contains(it.name()))
                .map(it -> new Evidence("ResourceQuota", it.namespace() + "/" + it.name(), state(it)))
                .forEach(evidence::add);
        return new DiagnosisCause(
                DiagnosisCode.QUOTA_EXCEEDED,
                owner.kind() + " " + owner.fullName() + " cannot create its next pod: " + text,
                evidence);
    }

    private static String state(QuotaFacts quota) {
        return quota.hard().entrySet().stream()
                .map(hard -> hard.getKey() + ": "
                        + quota.used()
                                .getOrDefault(hard.getKey(), Quantity.ZERO)
                                .text() + " used, "
                        + hard.getValue().text() + " hard")
                .sorted()
                .collect(Collectors.joining("; "));
    }
}
