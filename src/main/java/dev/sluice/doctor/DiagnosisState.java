package dev.sluice.doctor;

/** What is known of a cluster that is diagnosed again and again. */
public sealed interface DiagnosisState {

    /** Nobody diagnoses the cluster. */
    record Off() implements DiagnosisState {}

    /** The first diagnosis is under way. */
    record Begun() implements DiagnosisState {}

    /** The newest diagnosis. */
    record Known(ClusterReport report) implements DiagnosisState {}

    /** The newest attempt has failed; the reason is a clause. What was known before is not told any more. */
    record NotDiagnosed(String why) implements DiagnosisState {}
}
