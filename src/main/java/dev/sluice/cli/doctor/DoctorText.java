package dev.sluice.cli.doctor;

import dev.sluice.cli.console.TerminalPage;
import dev.sluice.diagnosis.verdict.ClusterReport;

/** Prints a report for people. */
record DoctorText(TerminalPage page) {

    void print(ClusterReport report) {
        report.pods().forEach(pod -> page.words("", pod.explanation()));
    }
}
