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
 * Programs that are built from a Go module or an earlier commit of this project. They are kept outside of the build's
 * directory, under a name made of what they are built from: a changed version is another directory.
 */
record Programs(Path directory) {

    private static final Path CONTROL_PLANE = Path.of("src", "it");
    private static final Path HELM = CONTROL_PLANE.resolve("helm");

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

    /** The programs of a control plane. */
    static Programs built() {
        return kept("controlplane", key(CONTROL_PLANE), unfinished -> {
            build(
                    CONTROL_PLANE,
                    unfinished,
                    "-X k8s.io/component-base/version.gitVersion=" + version(CONTROL_PLANE, "k8s.io/kubernetes"));
            // etcd's package is named so.
            Files.move(unfinished.resolve("server"), unfinished.resolve("etcd"));
        });
    }

    /** Where {@code helm} is. It renders for the version of Kubernetes whose libraries it was built with. */
    static Path helm() {
        return kept("helm", key(HELM), unfinished -> {
                    String minor = version(HELM, "k8s.io/client-go").split("\\.", -1)[1];
                    String numbers = "-X helm.sh/helm/v3/pkg/chartutil.k8sVersion";
                    build(HELM, unfinished, numbers + "Major=1 " + numbers + "Minor=" + minor);
                })
                .of("helm");
    }

    /** Builds into a directory. */
    interface Build {
        void into(Path unfinished) throws IOException;
    }

    /**
     * Builds them, or finds them built. Go needs minutes with an empty cache, seconds with a warm one, nothing when
     * built.
     *
     * @param key another one for whatever they are built from
     */
    static synchronized Programs kept(String name, String key, Build build) {
        Path home = cache(name).resolve(key);
        try {
            Files.createDirectories(home);
            try (FileChannel channel = FileChannel.open(
                            home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock _ = channel.lock()) {
                Path directory = home.resolve("bin");
                if (Files.notExists(directory)) {
                    System.out.println("building " + name + " into " + home + "; minutes, the first time");
                    Path unfinished = Files.createTempDirectory(home, "building");
                    build.into(unfinished);
                    Files.move(unfinished, directory, StandardCopyOption.ATOMIC_MOVE);
                }
                return new Programs(directory);
            }
        } catch (IOException e) {
            throw new AssertionError(name + " could not be built in " + home, e);
        }
    }

    private static String version(Path module, String dependency) {
        return Command.in(module, "go", "list", "-m", "-f", "{{.Version}}", dependency)
                .output()
                .strip();
    }

    private static void build(Path module, Path unfinished, String flags) {
        List<String> words = List.of(
                "go",
                "build",
                "-mod=readonly",
                "-buildvcs=false",
                "-o",
                unfinished + "/",
                "-ldflags",
                "-s -w " + flags,
                "tool");
        var _ = Command.in(module, words).with("CGO_ENABLED", "0").output();
    }

    Path of(String name) {
        return directory.resolve(name);
    }

    private static Path cache(String name) {
        String configured = Optional.ofNullable(System.getenv("XDG_CACHE_HOME")).orElse("");
        Path root = configured.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(configured);
        return root.resolve("sluice").resolve(name).toAbsolutePath();
    }

    private static String key(Path module) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(Files.readAllBytes(module.resolve("go.mod")));
            digest.update(Files.readAllBytes(module.resolve("go.sum")));
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException | IOException e) {
            throw new AssertionError("no key for the programs of " + module, e);
        }
    }
}
