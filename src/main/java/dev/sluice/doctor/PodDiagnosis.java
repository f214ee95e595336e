package dev.sluice.doctor;

import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.DiagnosisCause.Subject;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.text.ShortText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Explains why a pod does not run.
 *
 * @param name the name of the pod; for a pod that its owner cannot create, the owner's kind in lower case, a slash and
 *     the owner's name
 * @param verdict the code of the first cause; empty if the collected objects do not show enough to decide
 * @param also the codes of further causes that have to be removed, in the order of {@link DiagnosisCode}
 * @param reasons the kinds of constraints that nodes do not meet, sorted; they say more about the code
 *     ConstraintMismatch
 */
public record PodDiagnosis(
        String namespace,
        String name,
        Optional<DiagnosisCode> verdict,
        List<DiagnosisCode> also,
        List<String> reasons,
        String explanation,
        List<Evidence> evidence) {

    /** Limits the length of an explanation, in characters. The texts of causes quote messages, which can be long. */
    private static final int LONGEST = 2_000;

    /** Limits the number of pieces of evidence in one verdict. A longer list would not help a reader. */
    private static final int MOST_EVIDENCE = 100;

    /**
     * The minimum length, in characters, to which the text of a cause is shortened. A shorter text would be useless.
     */
    private static final int SHORTEST = 4;

    /**
     * Creates the verdict. The first cause becomes the verdict, and the other causes are listed in {@code also}.
     *
     * @param lead the first sentence of the explanation
     */
    static PodDiagnosis of(Subject subject, String lead, List<DiagnosisCause> causes, List<String> reasons) {
        List<DiagnosisCode> codes =
                causes.stream().map(DiagnosisCause::code).distinct().toList();
        StringBuilder text = new StringBuilder(lead);
        List<Evidence> evidence = new ArrayList<>();
        int longest = longest(causes, LONGEST - lead.length());
        for (DiagnosisCause cause : causes) {
            text.append(' ').append(ShortText.of(cause.text(), longest));
            cause.evidence().stream()
                    .limit(MOST_EVIDENCE - evidence.size())
                    .forEach(it -> evidence.add(it.of(subject)));
        }
        return new PodDiagnosis(
                subject.namespace(),
                name(subject),
                codes.stream().findFirst(),
                codes.isEmpty() ? List.of() : codes.subList(1, codes.size()),
                reasons,
                ShortText.of(text.toString(), LONGEST),
                evidence);
    }

    /**
     * Returns the length, in characters, to which the text of each cause is limited, so that all texts together have at
     * most {@code room} characters. Each text gets an equal share. Texts that are shorter than their share leave the
     * rest to longer texts.
     */
    private static int longest(List<DiagnosisCause> causes, int room) {
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
        return subject.kind().equals(ClusterFactKind.PODS.kind())
                ? subject.name()
                : subject.kind().toLowerCase(Locale.ROOT) + "/" + subject.name();
    }

    public String fullName() {
        return namespace + "/" + name;
    }
}
