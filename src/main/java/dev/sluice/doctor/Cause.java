package dev.sluice.doctor;

import java.util.List;

/** One thing that keeps a pod from running, in sentences and as data. */
public record Cause(VerdictCode code, String text, List<Evidence> evidence) {

    /** What was seen on an object; {@code name} is {@code namespace/name} where it has a namespace. */
    public record Evidence(String kind, String name, String fact) {

        /** A fact about the pod or the owner that the cause is found for; many may have the same cause. */
        public static Evidence ofSubject(String fact) {
            return new Evidence("", "", fact);
        }

        /** The same evidence; a fact about the subject gets the kind and the name of {@code subject}. */
        public Evidence of(Subject subject) {
            return kind.isEmpty()
                    ? new Evidence(subject.kind(), subject.namespace() + "/" + subject.name(), fact)
                    : this;
        }
    }

    /** A pod, or the owner of one that does not exist. */
    public record Subject(String kind, String namespace, String name) {}

    public Cause(VerdictCode code, String text, Evidence... evidence) {
        this(code, text, List.of(evidence));
    }
}
