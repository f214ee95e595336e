package dev.sluice.it;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The programs of a control plane, built from the Go module in {@code src/it}. They are kept outside of the build's
 * directory, under a name made of what they are built from: a changed version is another directory.
 */
record Programs(Path directory) {

    private static final Path MODULE = Path.of("src", "it");

    /** Where {@code go} is, if it is on the path. */
    static Optional<Path> go() {
        return onPath("go");
    }

    static Optional<Path> onPath(String program) {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(":", -1))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Builds them, or finds them built. Minutes with an empty Go cache, seconds with a warm one, nothing when built.
     */
    static Programs built() {
        Path home = cache().resolve(key());
        try {
            Files.createDirectories(home);
            try (FileChannel channel = FileChannel.open(
                            home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock _ = channel.lock()) {
                Path directory = home.resolve("bin");
                if (Files.notExists(directory)) {
                    build(home, directory);
                }
                return new Programs(directory);
            }
        } catch (IOException e) {
            throw new AssertionError("the control plane's programs could not be built in " + home, e);
        }
    }

    private static void build(Path home, Path directory) throws IOException {
        System.out.println("building the control plane into " + home + "; minutes, the first time");
        Path unfinished = Files.createTempDirectory(home, "building");
        String version = Command.in(MODULE, "go", "list", "-m", "-f", "{{.Version}}", "k8s.io/kubernetes")
                .output()
                .strip();
        var _ = Command.in(
                        MODULE,
                        List.of(
                                "go",
                                "build",
                                "-mod=readonly",
                                "-buildvcs=false",
                                "-o",
                                unfinished + "/",
                                "-ldflags",
                                "-s -w -X k8s.io/component-base/version.gitVersion=" + version,
                                "tool"))
                .with("CGO_ENABLED", "0")
                .output();
        // etcd's package is named so.
        Files.move(unfinished.resolve("server"), unfinished.resolve("etcd"));
        Files.move(unfinished, directory, StandardCopyOption.ATOMIC_MOVE);
    }

    Path of(String name) {
        return directory.resolve(name);
    }

    private static Path cache() {
        String configured = Optional.ofNullable(System.getenv("XDG_CACHE_HOME")).orElse("");
        Path root = configured.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(configured);
        return root.resolve("sluice").resolve("controlplane").toAbsolutePath();
    }

    private static String key() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(Files.readAllBytes(MODULE.resolve("go.mod")));
            digest.update(Files.readAllBytes(MODULE.resolve("go.sum")));
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException | IOException e) {
            throw new AssertionError("no key for the control plane's programs", e);
        }
    }
}
