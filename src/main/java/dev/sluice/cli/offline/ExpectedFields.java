package dev.sluice.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.config.ConfigNearestKey;
import dev.sluice.record.RecordedDecisionKind;
import dev.sluice.text.ShortText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The expected values of some fields of a decision. Fields that are missing may have any value.
 *
 * @param decision the word of the decision, or {@link ActualDecision#PASSED}
 * @param resources the quantities that each container has after the patch; the key is the name of the container
 * @param fallback the annotation that lists the exchanged resources; an empty text expects that nothing is exchanged
 * @param warnings parts of the warnings; an empty list expects that there is no warning
 * @param message a part of the message of a denial
 * @param patch the whole patch
 */
record ExpectedFields(
        String decision,
        Optional<String> reason,
        Map<String, Map<String, Quantity>> resources,
        Optional<String> fallback,
        Optional<List<String>> warnings,
        Optional<String> message,
        Optional<JsonNode> patch)
        implements ExpectedDecision {

    private static final int LONGEST_SHOWN = 80;

    /** The maximum number of replacements that are read from a fallback annotation. */
    private static final int MOST_REPLACEMENTS = 256;

    private static final List<String> DECISIONS = Stream.concat(
                    Arrays.stream(RecordedDecisionKind.values()).map(RecordedDecisionKind::word),
                    Stream.of(ActualDecision.PASSED))
            .toList();

    /** The word that explanations use for a pod that asks for no GPU, with the word that cases use. */
    private static final Map<String, String> OF_EXPLANATIONS = Map.of("noGpu", ActualDecision.PASSED);

    /** Reads the expected fields. Fields that contradict each other are reported as a problem. */
    static ExpectedFields read(CaseFields fields, JsonNode pod) {
        String decision = fields.word("decision", DECISIONS, OF_EXPLANATIONS).orElse("");
        Optional<String> reason = fields.word(
                "reason", Arrays.stream(Reason.values()).map(Reason::word).toList());
        Map<String, Map<String, Quantity>> resources = fields.section("resources")
                .map(containers -> resources(containers, decision, pod))
                .orElse(Map.of());
        Optional<String> fallback = fields.text("fallback");
        Optional<List<String>> warnings = fields.texts("warnings");
        Optional<String> message = fields.text("message");
        JsonNode patch = fields.value("patch");
        fields.refuseUnknown();
        ExpectedFields expected = new ExpectedFields(
                decision,
                reason,
                resources,
                fallback,
                warnings,
                message,
                patch.isMissingNode() ? Optional.empty() : Optional.of(patch));
        expected.checkConsistency(fields);
        return expected;
    }

    private static Map<String, Map<String, Quantity>> resources(CaseFields containers, String decision, JsonNode pod) {
        List<String> known =
                containers(pod).map(one -> one.path("name").asText()).toList();
        // If this is false, the containers can get only GPUs for which they ask. A pod with the fallback annotation can
        // get other GPUs with any decision, because Sluice may undo an earlier exchange.
        boolean isExchangeable = decision.isEmpty()
                || decision.equals(RecordedDecisionKind.CHANGED.word())
                || decision.equals(RecordedDecisionKind.DENIED.word())
                || pod.path("metadata").path("annotations").has(PodRequestAnnotations.FALLBACK);
        Map<String, Map<String, Quantity>> resources = new LinkedHashMap<>();
        for (String name : containers.names()) {
            if (pod.isObject() && !known.contains(name)) {
                containers.refuse(
                        name,
                        "is no container of the pod",
                        ConfigNearestKey.to(name, known)
                                .map(near -> "did you mean " + near + "?")
                                .orElse("its containers are " + String.join(", ", known)));
            }
            containers.section(name).ifPresent(container -> {
                Map<String, Quantity> quantities = quantities(container);
                if (known.contains(name) && !isExchangeable) {
                    refuseExchanged(container, decision, quantities, actual(name, pod));
                }
                resources.put(name, quantities);
            });
        }
        return resources;
    }

    /**
     * Reports a problem if the case expects that a container gets GPUs for which it does not ask. Only the decision
     * {@code changed} can give it such GPUs.
     */
    private static void refuseExchanged(
            CaseFields container, String decision, Map<String, Quantity> wanted, Map<String, Quantity> asked) {
        wanted.forEach((resource, quantity) -> {
            if (GpuVendor.isGpu(new ResourceName(resource))
                    && !quantity.isZero()
                    && asked.getOrDefault(resource, Quantity.ZERO).isZero()) {
                container.refuse(
                        resource,
                        "is " + quantity.text() + ", but the container does not ask for it, and a pod that is "
                                + decision + " gets no other GPU",
                        "expected changed");
            }
        });
    }

    private static Map<String, Quantity> quantities(CaseFields container) {
        Map<String, Quantity> quantities = new TreeMap<>();
        for (String resource : container.names()) {
            Optional<Quantity> quantity =
                    Quantity.parse(container.value(resource).asText());
            if (quantity.filter(amount -> !amount.isNegative()).isPresent()) {
                quantities.put(resource, quantity.get());
            } else {
                container.refuse(resource, "is no quantity", "expected a number such as 1, or 16Gi");
            }
        }
        return quantities;
    }

    private static Stream<JsonNode> containers(JsonNode pod) {
        return Stream.of("containers", "initContainers")
                .flatMap(list -> pod.path("spec").path(list).valueStream());
    }

    private void checkConsistency(CaseFields fields) {
        boolean isDenied = decision.equals(RecordedDecisionKind.DENIED.word());
        boolean isChanged = decision.equals(RecordedDecisionKind.CHANGED.word());
        if (decision.isEmpty()) {
            if (!fields.has("decision")) {
                fields.refuseWhole("has no decision", "expected one of " + String.join(", ", DECISIONS));
            }
            return;
        }
        List<String> reasons = Arrays.stream(RecordedDecisionKind.values())
                .filter(kind -> kind.word().equals(decision))
                .flatMap(kind -> kind.reasons().stream())
                .map(Reason::word)
                .toList();
        if (reason.isPresent() && !reasons.contains(reason.get())) {
            fields.refuse(
                    "reason",
                    "is " + reason.get() + ", which no pod with the decision " + decision + " has",
                    reasons.isEmpty() ? "leave it out" : "expected one of " + String.join(", ", reasons));
        }
        if (message.isPresent() && !isDenied) {
            fields.refuse("message", "is set, but only a denied pod has a message", "use warnings");
        }
        if (message.filter(String::isEmpty).isPresent()) {
            fields.refuse("message", "is empty, which is a part of any message", "leave it out");
        }
        if (fallback.filter(text -> !text.isEmpty()).isPresent() && !isChanged) {
            fields.refuse(
                    "fallback", "is set, but nothing is exchanged in a pod that is " + decision, "expected changed");
        }
        fallback.ifPresent(text -> checkFallback(text, fields));
        if (isDenied && !resources.isEmpty()) {
            fields.refuse("resources", "is set, but a denied pod gets nothing", "leave it out");
        }
        if (hasPatch() && (isDenied || decision.equals("untouched") || decision.equals(ActualDecision.PASSED))) {
            fields.refuse("patch", "is set, but a pod that is " + decision + " is not patched", "leave it out");
        }
        if (hasPatch() && !isChanged && ExpectedResponse.exchanges(patch.orElseThrow())) {
            fields.refuse("patch", "exchanges resources of a pod that is " + decision, "expected changed");
        }
        if (isChanged && patch.isPresent() && patch.get().isEmpty()) {
            fields.refuse("patch", "is empty, but a changed pod is patched", "leave it out");
        }
    }

    /** Refuses a text that the fallback annotation can never have. */
    private static void checkFallback(String text, CaseFields fields) {
        String readAs = PodRequestReplacement.annotation(PodRequestReplacement.parse(text, MOST_REPLACEMENTS));
        if (!readAs.equals(text)) {
            fields.refuse(
                    "fallback",
                    "is \"" + ShortText.of(text, LONGEST_SHOWN) + "\", which is no list of replacements",
                    readAs.isEmpty()
                            ? "expected text such as 3g.40gb->2g.20gb, with commas between several"
                            : "did you mean " + ShortText.of(readAs, LONGEST_SHOWN) + "?");
        }
    }

    @Override
    public boolean isOfAnswer() {
        return false;
    }

    @Override
    public boolean hasPatch() {
        return patch.filter(operations -> !operations.isEmpty()).isPresent();
    }

    @Override
    public List<CaseFieldDifference> differences(ActualDecision actual) {
        List<CaseFieldDifference> found = new ArrayList<>();
        compare("decision", Optional.of(decision), actual.decision(), found);
        compare("reason", reason, actual.reason(), found);
        compare("fallback", fallback, actual.fallback(), found);
        resources.forEach((container, wanted) -> compare(container, wanted, actual.pod(), found));
        warnings.ifPresent(parts -> compareWarnings(parts, actual.warnings(), found));
        message.filter(part -> !actual.message().contains(part))
                .ifPresent(part -> found.add(CaseFieldDifference.of("message", part, actual.message())));
        patch.ifPresent(wanted -> ExpectedResponse.comparePatch(wanted, actual.patch(), found));
        return found;
    }

    private static void compare(
            String field, Optional<String> expected, String actual, List<CaseFieldDifference> found) {
        expected.filter(text -> !text.equals(actual))
                .ifPresent(text -> found.add(CaseFieldDifference.of(field, text, actual)));
    }

    /** Compares the named resources of a container. A GPU resource that is not named is expected to be absent. */
    private static void compare(
            String name, Map<String, Quantity> wanted, JsonNode pod, List<CaseFieldDifference> found) {
        Map<String, Quantity> actual = actual(name, pod);
        Map<String, Quantity> all = new TreeMap<>(wanted);
        actual.keySet().stream()
                .filter(resource -> GpuVendor.isGpu(new ResourceName(resource)))
                .forEach(resource -> all.putIfAbsent(resource, Quantity.ZERO));
        all.forEach((resource, quantity) -> {
            Quantity is = actual.getOrDefault(resource, Quantity.ZERO);
            if (is.compareTo(quantity) != 0) {
                found.add(new CaseFieldDifference(
                        name + " " + resource, texts(wanted.get(resource)), texts(actual.get(resource))));
            }
        });
    }

    /** Returns the limits of a container, and its requests for the resources that have no limit. */
    private static Map<String, Quantity> actual(String name, JsonNode pod) {
        Map<String, Quantity> actual = new TreeMap<>();
        containers(pod)
                .filter(container -> container.path("name").asText().equals(name))
                .forEach(container -> Stream.of("requests", "limits")
                        .flatMap(map -> container.path("resources").path(map).properties().stream())
                        .forEach(one -> Quantity.parse(one.getValue().asText())
                                .ifPresent(quantity -> actual.put(one.getKey(), quantity))));
        return actual;
    }

    private static List<String> texts(@Nullable Quantity quantity) {
        return quantity == null ? List.of() : List.of(quantity.text());
    }

    private static void compareWarnings(List<String> parts, List<String> actual, List<CaseFieldDifference> found) {
        List<String> missing = parts.stream()
                .filter(part -> actual.stream().noneMatch(warning -> warning.contains(part)))
                .toList();
        if (!missing.isEmpty() || (parts.isEmpty() && !actual.isEmpty())) {
            found.add(new CaseFieldDifference("warnings", missing, actual));
        }
    }
}
