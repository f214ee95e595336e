package dev.sluice.doctor;

import dev.sluice.text.ShortText;
import java.util.List;

/** Describes one reason why a pod does not run, as sentences and as data. */
public record DiagnosisCause(DiagnosisCode code, String text, List<Evidence> evidence) {

    /**
     * Describes a fact about an object.
     *
     * @param name the name of the object, as {@code namespace/name} if the object has a namespace; name and kind are
     *     empty for a fact about the pod or owner that the cause explains
     * @param fact the fact, as a clause
     */
    public record Evidence(String kind, String name, String fact) {

        /**
         * A fact contains this text if a state that usually ends by itself has lasted too long. An example is the
         * deletion of a pod. A pod that waits for the end of such a state needs attention.
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
         * Returns a fact about the pod or owner that the cause explains. The evidence does not name this pod or owner,
         * because one cause is used for all pods with the same request.
         */
        public static Evidence ofSubject(String fact) {
            return new Evidence("", "", fact);
        }

        /**
         * Returns this evidence. If its kind and name are empty, returns a copy with the kind and name of
         * {@code subject}.
         */
        public Evidence of(Subject subject) {
            return kind.isEmpty()
                    ? new Evidence(subject.kind(), subject.namespace() + "/" + subject.name(), fact)
                    : this;
        }
    }

    /** Identifies a pod, or the owner of a pod that could not be created. */
    public record Subject(String kind, String namespace, String name) {}

    public DiagnosisCause(DiagnosisCode code, String text, Evidence... evidence) {
        this(code, text, List.of(evidence));
    }
}
