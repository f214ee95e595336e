package dev.sluice.doctor;

import java.time.Duration;
import java.time.Instant;

/** Describes the progress of the repeated diagnosis of a cluster. */
public sealed interface DiagnosisState {

    /** States that the diagnosis is turned off. */
    record Off() implements DiagnosisState {}

    /** States that the first diagnosis has not finished yet. */
    record Begun() implements DiagnosisState {}

    /**
     * Holds the report of the newest diagnosis.
     *
     * @param read the time at which reading the cluster began
     * @param nextDue the time by which the next diagnosis should have ended
     */
    record Known(ClusterDiagnosis report, Instant read, Instant nextDue) implements DiagnosisState {

        /** Returns the age of the report at this time. */
        public Duration age(Instant now) {
            Duration age = Duration.between(read, now);
            return age.isNegative() ? Duration.ZERO : age;
        }

        /** Returns true if a newer report should exist at this time. The report must then no longer be shown. */
        public boolean isOverdue(Instant now) {
            return now.isAfter(nextDue);
        }
    }

    /**
     * States that the newest diagnosis failed. The previous report is no longer shown.
     *
     * @param why the reason, as a clause
     */
    record NotDiagnosed(String why) implements DiagnosisState {}
}
