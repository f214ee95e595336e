package dev.sluice.doctor;

import dev.sluice.text.ShortText;
import java.util.List;

/** Describes one reason why a pod does not run, as sentences and as data. */
public record Cause(VerdictCode code, String text, List<Evidence> evidence) {

    /**
     * Describes a fact about an object.
     *
     * @param name the name of the object, as {@code namespace/name} if the object has a namespace; empty, like the
     *     kind, for a fact about the pod or owner under study
     * @param fact the fact, as a clause
     */
    public record Evidence(String kind, String name, String fact) {

        /**
         * The text in the evidence of a temporary state that has lasted too long. A pod that waits for such a state
         * needs attention.
         */
        static final String STUCK = "is stuck";

        /**
         * Limits the length of a fact in characters. Without a limit, users could make facts as long as they like,
         * because facts quote their objects.
         */
        private static final int LONGEST = 5_000;

        public Evidence {
            fact = ShortText.of(fact, LONGEST);
        }

        /**
         * Returns a fact about the pod or owner under study. The evidence does not contain its name, because one cause
         * is used for all pods with the same request.
         */
        public static Evidence ofSubject(String fact) {
            return new Evidence("", "", fact);
        }

        /**
         * Returns this evidence, with the kind and name of {@code subject} filled in if the fact is about the pod or
         * owner under study.
         */
        public Evidence of(Subject subject) {
            return kind.isEmpty()
                    ? new Evidence(subject.kind(), subject.namespace() + "/" + subject.name(), fact)
                    : this;
        }
    }

    /** Identifies a pod, or the owner of a pod that could not be created. */
    public record Subject(String kind, String namespace, String name) {}

    public Cause(VerdictCode code, String text, Evidence... evidence) {
        this(code, text, List.of(evidence));
    }
}
