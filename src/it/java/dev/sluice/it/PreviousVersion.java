package dev.sluice.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** An earlier version of Sluice, built from its commit: what its archive holds, and its manifests. */
record PreviousVersion(Path launcher, Path manifests) {

    /** Nothing has been released yet. Of the commits that had manifests and a chart, this one is the first. */
    private static final String FIRST = System.getProperty("upgrade.from", "7f0f3f20f62a5ff52737b1786f2d871e16fda8b4");

    /** An early one of the commits whose replicas share their reservations. */
    private static final String SHARING = System.getProperty("shared.from", "1f1f654e979a17ba39956f52faaaa549f77f4cee");

    private static final Path HERE = Path.of(".");

    /** Built now, or before; about a minute. */
    static PreviousVersion built() {
        return ofCommit(FIRST);
    }

    /** The same, of a version whose replicas share their reservations. */
    static PreviousVersion sharing() {
        return ofCommit(SHARING);
    }

    private static PreviousVersion ofCommit(String commit) {
        if (Command.in(HERE, "git", "cat-file", "-e", commit + "^{commit}")
                        .run()
                        .code()
                != 0) {
            System.out.println(
                    "The history here does not hold " + commit + ", as in a shallow clone, so no earlier version"
                            + " can be built. The upgrade is one from the present version to itself.");
            return new PreviousVersion(Gateway.LAUNCHER, Path.of("k8s"));
        }
        Programs kept = Programs.kept("previous", commit, unfinished -> build(commit, unfinished));
        return new PreviousVersion(kept.of("sluice").resolve("bin").resolve("sluice"), kept.of("k8s"));
    }

    private static void build(String commit, Path unfinished) throws IOException {
        Path sources = Files.createDirectory(unfinished.resolve("sources"));
        Path archive = unfinished.resolve("sources.tar");
        var _ = Command.in(HERE, "git", "archive", "--output", archive.toString(), commit)
                .output();
        var _ = Command.in(sources, "tar", "--extract", "--file", archive.toString())
                .output();
        var _ = Command.in(
                        sources,
                        "mvn",
                        "-q",
                        "-B",
                        Boolean.getBoolean("build.offline") ? "-o" : "-ntp",
                        "package",
                        "-Dmaven.test.skip=true",
                        "-Daot.skip")
                .output();
        Files.move(sources.resolve("target").resolve("sluice"), unfinished.resolve("sluice"));
        Files.move(sources.resolve("k8s"), unfinished.resolve("k8s"));
        Files.delete(archive);
        Directories.delete(sources);
    }
}
