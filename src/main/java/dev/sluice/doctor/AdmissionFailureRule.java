package dev.sluice.doctor;

import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.PodFacts.Message;
import dev.sluice.text.FirstFiveNames;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds owners, such as ReplicaSets, whose pods cannot be created, because the API server, an admission webhook or an
 * admission policy refuses them.
 */
final class AdmissionFailureRule {

    /** Matches the refusal of the admission plugin RuntimeClass. */
    private static final Pattern NO_RUNTIME_CLASS = Pattern.compile("RuntimeClass \"?([a-z0-9.-]+)\"? not found");

    /**
     * Matches the messages with which JobSet's webhook refuses pods. If a Job has exclusive placement in a topology
     * domain, its first pod must be bound before the webhook accepts the other pods.
     */
    private static final Pattern FOLLOWER =
            Pattern.compile("leader pod not yet scheduled|follower pod node selector not set");

    private AdmissionFailureRule() {}

    static Optional<DiagnosisCause> find(DiagnosedOwner owner) {
        List<String> podLevel = owner.template().map(it -> it.podLevel()).orElse(List.of());
        Optional<String> said = owner.failure().map(Message::text);
        if (!podLevel.isEmpty()) {
            return Optional.of(cause(
                    owner,
                    "the template asks for " + FirstFiveNames.of(podLevel)
                            + " in spec.resources of the pod, where Kubernetes"
                            + " allows cpu, memory and hugepages only: write it into the limits of a container."
                            + said.map(owner::says).orElse("")));
        }
        return said.map(text -> cause(
                owner,
                "its creation is refused" + times(owner) + "." + owner.says(text) + runtime(text) + leader(text)));
    }

    private static String runtime(String said) {
        Matcher missing = NO_RUNTIME_CLASS.matcher(said);
        return missing.find()
                ? " There is no RuntimeClass " + missing.group(1)
                        + ": the GPU operator makes it, or leave runtimeClassName out where that runtime is the default."
                : "";
    }

    private static String leader(String said) {
        return FOLLOWER.matcher(said).find()
                ? " JobSet lets a Job create its other pods once its first pod, the one of index 0, is on a node: what that"
                        + " pod waits for is the cause."
                : "";
    }

    private static String times(DiagnosedOwner owner) {
        return owner.times() <= 1 ? "" : ", " + owner.times() + " times so far";
    }

    private static DiagnosisCause cause(DiagnosedOwner owner, String text) {
        return new DiagnosisCause(
                DiagnosisCode.DENIED_AT_ADMISSION,
                owner.kind() + " " + owner.fullName() + " cannot create its next pod: " + text,
                Evidence.ofSubject(text));
    }
}
