package dev.sluice.doctor;

/** Describes the progress of the repeated diagnosis of a cluster. */
public sealed interface DiagnosisState {

    /** States that the diagnosis is turned off. */
    record Off() implements DiagnosisState {}

    /** States that the first diagnosis has not finished yet. */
    record Begun() implements DiagnosisState {}

    /** Holds the report of the newest diagnosis. */
    record Known(ClusterReport report) implements DiagnosisState {}

    /**
     * States that the newest diagnosis failed. The previous report is no longer shown.
     *
     * @param why the reason, as a clause
     */
    record NotDiagnosed(String why) implements DiagnosisState {}
}
