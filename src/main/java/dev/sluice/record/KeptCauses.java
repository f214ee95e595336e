package dev.sluice.record;

import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.JudgedCandidate;
import java.util.ArrayList;
import java.util.List;

/** Keeps the causes and the candidates of a decision if they are small. Nearly all are. */
public final class KeptCauses {

    /** The maximum number of causes that are kept. A pod has one cause for each GPU resource that it asks for. */
    private static final int MOST_CAUSES = 8;

    /** The maximum number of characters of all causes together. Three names of containers have 189 characters. */
    private static final int MOST_LETTERS = 1_024;

    private KeptCauses() {}

    /** Returns the causes of an admission, or none if they are too many or hold too much text of the pod's author. */
    public static List<DecisionCause> of(List<DecisionCause> causes) {
        return causes.isEmpty() || isSmall(causes) ? causes : List.of();
    }

    /** Returns the causes of a denial, beginning with the one that led to it. */
    public static List<DecisionCause> of(DecisionCause first, List<DecisionCause> others) {
        if (others.size() >= MOST_CAUSES) {
            return List.of();
        }
        List<DecisionCause> all = new ArrayList<>(others.size() + 1);
        all.add(first);
        all.addAll(others);
        return of(all);
    }

    /** Returns the candidates without those whose name is too long for a resource. */
    public static List<JudgedCandidate> candidates(List<JudgedCandidate> all) {
        // This runs for every decision, so a stream is created only if some candidates are left out.
        for (JudgedCandidate judged : all) {
            if (!isSmall(judged)) {
                return all.stream().filter(KeptCauses::isSmall).toList();
            }
        }
        return all;
    }

    private static boolean isSmall(JudgedCandidate judged) {
        return RecordedContainer.isKept(judged.asked()) && RecordedContainer.isKept(judged.candidate());
    }

    private static boolean isSmall(List<DecisionCause> causes) {
        if (causes.size() > MOST_CAUSES) {
            return false;
        }
        int letters = 0;
        for (DecisionCause cause : causes) {
            // A refused injection lists containers and requests, so it is not kept. The message to the user has its
            // numbers.
            if (cause instanceof DecisionCause.InjectionRefused) {
                return false;
            }
            for (String word : cause.words()) {
                letters += word.length();
            }
        }
        return letters <= MOST_LETTERS;
    }
}
