package dev.sluice.cli.doctor;

import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.console.TerminalPage;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.ClusterDiagnosis;
import java.time.Duration;

/** Reads the cluster repeatedly, and prints what has changed since the previous reading. */
record DoctorWatch(Terminal terminal, Duration pause) {

    /** Reads the cluster again and creates a report. */
    interface Rereading {
        ClusterDiagnosis report() throws ClusterStateException, UserProblem;
    }

    /** Runs until the thread is interrupted. The user ends the process with Ctrl-C. */
    void run(ClusterDiagnosis first, Rereading again) {
        ClusterDiagnosis last = first;
        while (hasPaused()) {
            try {
                ClusterDiagnosis next = again.report();
                TerminalPage page = terminal.page();
                DoctorReportChanges.between(last, next).forEach(change -> page.sentence(change));
                terminal.out().flush();
                last = next;
            } catch (ClusterStateException | UserProblem problem) {
                terminal.err().println(problem.getMessage());
                terminal.err().flush();
            }
        }
    }

    private boolean hasPaused() {
        try {
            Thread.sleep(pause);
            return true;
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
