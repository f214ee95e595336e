package dev.sluice.cli.demo;

import dev.sluice.cli.console.TerminalPage;
import java.nio.file.Path;

/** Prints the commands that the user can try after the tour, as lines for a shell. */
record DemoFarewell(TerminalPage page, Path directory, DemoTour.Addresses addresses) {

    private static final int COLUMNS = 100;

    void print(DemoTour.Afterwards afterwards) {
        page.line();
        page.line(page.style().strong("Try it by hand"));
        page.line();
        switch (afterwards) {
            case SERVES_ON -> {
                page.words(
                        "  ",
                        "The gateway now serves the cluster of " + near(directory.resolve(DemoTour.FLEET))
                                + ", in which GPU pods run and wait, and nodes have faults. It has decided about those"
                                + " that wait; its older decisions are about the clusters of the tour.");
                console();
                review();
                explain("the same decision", DemoTour.FLEET);
                management();
            }
            case ENDS -> explain("a decision", "clusters/mixed.yaml");
        }
    }

    private void review() {
        page.line("  a review, as the API server sends it:");
        page.line("    curl --cacert " + near(addresses.authority()) + " \\");
        page.line("      -H 'Content-Type: application/json' \\");
        page.line("      --data-binary @" + near(directory.resolve("review.json")) + " \\");
        page.line("      " + addresses.webhook() + "/mutate");
    }

    private void explain(String decision, String cluster) {
        page.line("  " + decision + ", explained node by node:");
        String command = "    " + addresses.launcher() + " explain \\";
        if (command.length() <= COLUMNS) {
            page.line(command);
        } else {
            page.line("    " + addresses.launcher() + " \\");
            page.line("      explain \\");
        }
        page.line("      -f " + near(directory.resolve("review.json")) + " \\");
        page.line("      --cluster-snapshot " + near(directory.resolve(cluster)));
    }

    private void console() {
        page.line("  the console, for a browser:");
        page.line("    " + addresses.management() + "/console/");
    }

    private void management() {
        page.line("  what the gateway tells of itself:");
        page.line("    " + addresses.management() + "/api/v1/capacity");
        page.line("    " + addresses.management() + "/readyz?verbose");
        page.line("    " + addresses.management() + "/metrics");
    }

    /** Returns the path relative to the working directory, or the given path if it is shorter. */
    static Path near(Path path) {
        if (!path.isAbsolute()) {
            return path;
        }
        Path relative = Path.of("").toAbsolutePath().relativize(path.normalize());
        // The shell searches a name without a directory in the PATH, so such a name gets the directory "." here.
        Path named = relative.getNameCount() == 1
                ? Path.of("." + path.getFileSystem().getSeparator() + relative)
                : relative;
        return named.toString().length() < path.toString().length() ? named : path;
    }
}
