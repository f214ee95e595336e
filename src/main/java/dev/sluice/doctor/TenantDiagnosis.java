package dev.sluice.doctor;

import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts.UnreadObject;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The part of a diagnosis for a client who may create pods in one namespace only. It contains the verdicts on the pods
 * of this namespace, without the names of objects of other namespaces.
 *
 * @param other a pattern for the name of an object of another namespace, in the form {@code namespace/name}, and for
 *     the claim in parentheses that may follow
 * @param command a pattern for kubectl commands about objects of other namespaces
 */
public record TenantDiagnosis(String namespace, Pattern other, Pattern command) {

    private static final String ELSEWHERE = "another namespace";

    /**
     * Matches a list in which each name was replaced with the same phrase. The list becomes one phrase in the plural.
     */
    private static final Pattern REPEATED = Pattern.compile(
            "an object of another namespace(?: \\([^()]*\\))?(?:(?:, | and )an object of another namespace(?: \\([^()]*\\))?)++");

    /**
     * Returns the part of the report for this namespace. It contains nothing about nodes, because the texts about their
     * faults name pods of other namespaces.
     */
    public static ClusterDiagnosis of(ClusterDiagnosis report, String namespace) {
        String own = Pattern.quote(namespace);
        TenantDiagnosis tenant = new TenantDiagnosis(
                namespace,
                Pattern.compile(
                        "(?<![A-Za-z0-9._/-])(?!" + own
                                + "/)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?/[A-Za-z0-9](?:[-A-Za-z0-9._]*[A-Za-z0-9])?(?: \\(claim [^()]*\\))?"),
                Pattern.compile("kubectl -n (?!" + own + " )\\S+ \\S+ [^ ,;]*[^ ,;.]"));
        return new ClusterDiagnosis(
                report.pods().stream()
                        .filter(pod -> pod.namespace().equals(namespace))
                        .map(tenant::of)
                        .toList(),
                List.of(),
                ResourceFaults.NONE,
                report.unchecked().stream().map(TenantDiagnosis::of).toList(),
                report.podsKnown());
    }

    /**
     * Returns a copy that names no objects. If a kind is not served or was not collected, returns the entry unchanged,
     * because its text is the same for every cluster.
     */
    private static UnreadObject of(UnreadObject unread) {
        return unread.why().startsWith(UnreadObject.NOT_SERVED) || unread.why().startsWith(UnreadObject.NOT_COLLECTED)
                ? unread
                : new UnreadObject(
                        unread.plural(), "Not all of them could be checked.", /* name= */ "", unread.objects());
    }

    private PodDiagnosis of(PodDiagnosis pod) {
        return new PodDiagnosis(
                pod.namespace(),
                pod.name(),
                pod.verdict(),
                pod.also(),
                pod.reasons(),
                text(pod.explanation()),
                pod.evidence().stream()
                        .filter(this::isAllowed)
                        .map(evidence -> new Evidence(evidence.kind(), evidence.name(), text(evidence.fact())))
                        .toList());
    }

    /** Returns true for objects of the namespace, and for objects that have no namespace. */
    private boolean isAllowed(Evidence evidence) {
        int slash = evidence.name().indexOf('/');
        return slash < 0 || evidence.name().substring(0, slash).equals(namespace);
    }

    private String text(String text) {
        String withoutQuotes = PodStartFailures.QUOTED.matcher(text).replaceAll("");
        String withoutCommands = command.matcher(withoutQuotes).replaceAll("a command for " + ELSEWHERE);
        String withoutNames = other.matcher(withoutCommands).replaceAll("an object of " + ELSEWHERE);
        return REPEATED.matcher(withoutNames).replaceAll("objects of other namespaces");
    }
}
