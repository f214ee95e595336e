package dev.sluice.doctor;

import dev.sluice.doctor.Cause.Evidence;
import dev.sluice.doctor.Cause.Subject;
import dev.sluice.doctor.facts.FactKind;
import dev.sluice.text.ShortText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Why a pod does not run.
 *
 * @param name of a pod that its owner cannot create: the owner's kind in lower case, a slash and its name
 * @param verdict empty where the snapshot lacks what would decide
 * @param also what must go as well, in upstream order
 * @param reasons the sub-reasons of ConstraintMismatch, sorted
 */
public record PodVerdict(
        String namespace,
        String name,
        Optional<VerdictCode> verdict,
        List<VerdictCode> also,
        List<String> reasons,
        String explanation,
        List<Evidence> evidence) {

    /** As in the contract. */
    private static final int LONGEST = 2_000;

    /** A shorter text of a cause says nothing. */
    private static final int SHORTEST = 4;

    /** The first cause is the verdict. */
    static PodVerdict of(Subject subject, String lead, List<Cause> causes, List<String> reasons) {
        List<VerdictCode> codes = causes.stream().map(Cause::code).distinct().toList();
        StringBuilder text = new StringBuilder(lead);
        List<Evidence> evidence = new ArrayList<>();
        int longest = longest(causes, LONGEST - lead.length());
        for (Cause cause : causes) {
            text.append(' ').append(ShortText.of(cause.text(), longest));
            cause.evidence().forEach(it -> evidence.add(it.of(subject)));
        }
        return new PodVerdict(
                subject.namespace(),
                name(subject),
                codes.stream().findFirst(),
                codes.isEmpty() ? List.of() : codes.subList(1, codes.size()),
                reasons,
                ShortText.of(text.toString(), LONGEST),
                evidence);
    }

    /**
     * How long the text of a cause may be so that all are told within {@code room}: each has its share, and what short
     * ones do not need is for the long ones.
     */
    private static int longest(List<Cause> causes, int room) {
        int[] lengths = causes.stream()
                .mapToInt(cause -> 1 + cause.text().length())
                .sorted()
                .toArray();
        int left = room;
        for (int i = 0; i < lengths.length; i++) {
            int share = left / (lengths.length - i);
            if (lengths[i] > share) {
                return Math.max(SHORTEST, share - 1);
            }
            left -= lengths[i];
        }
        return LONGEST;
    }

    private static String name(Subject subject) {
        return subject.kind().equals(FactKind.PODS.kind())
                ? subject.name()
                : subject.kind().toLowerCase(Locale.ROOT) + "/" + subject.name();
    }

    public String fullName() {
        return namespace + "/" + name;
    }
}
