package dev.sluice.config;

import dev.sluice.admission.injection.InjectionRules;
import dev.sluice.admission.injection.Injector;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.tls.CertificateUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Loads the configuration of the gateway. If it has problems, all of them are reported at once. */
public final class ConfigLoader {

    private static final String NO_FILE = "defaults";

    private ConfigLoader() {}

    /**
     * Loads the configuration. Mistakes of the user are problems in the result and not exceptions. Of the files that
     * the configuration names, only the injection file is opened.
     *
     * @param file a file, or a directory whose files are merged; null to use the defaults only
     * @param environment the environment variables of the process; {@code PORT} overrides {@code webhook.port}
     */
    public static Loading load(@Nullable Path file, Map<String, String> environment) {
        return load(file, environment, named -> named);
    }

    /**
     * Loads the configuration of another machine from copies of its files.
     *
     * @param copies a function that converts a path in the configuration to the path of the copy
     */
    public static Loading load(@Nullable Path file, Map<String, String> environment, UnaryOperator<Path> copies) {
        ProblemCollector problems = new ProblemCollector(file == null ? NO_FILE : file.toString());
        YamlNode root = file == null ? new YamlNode.Null(problems.document()) : parse(file, problems);
        ConfigReader reader = new ConfigReader(environment, problems);
        Optional<GatewayConfig> config = reader.read(root);
        Optional<Path> injection = reader.injectionFile().map(copies);
        if (file != null && Files.isDirectory(file)) {
            ConfigDirectory.warnOfOthers(file, injection, problems);
        }
        ProblemCollector inInjection =
                new ProblemCollector(injection.map(Path::toString).orElse(NO_FILE));
        Optional<InjectionRules> rules = injection.isEmpty()
                ? Optional.of(InjectionRules.NONE)
                : rules(injection.get(), reader.chained(), inInjection);
        List<ConfigProblem> warnings = joined(problems.warnings(), inInjection.warnings());
        return config.isPresent() && rules.isPresent()
                ? loaded(config.get(), rules.get(), warnings, problems.keyPositions())
                : new Loading.NotLoaded(
                        joined(problems.problems(), ofInjection(inInjection, problems.keyPositions())),
                        warnings,
                        injection,
                        reader.readTls(),
                        reader.readPeers(),
                        reader.readKubernetes(),
                        problems.keyPositions());
    }

    /**
     * Loads a copy of the configuration of a gateway on another machine. The injection file is searched beside the
     * copy, unless its path is absolute and exists on this machine. If the file is not found there, the path in the
     * configuration is used unchanged.
     */
    public static Loading loadCopy(@Nullable Path file, Map<String, String> environment) {
        return load(file, environment, named -> file == null ? named : copy(named, file));
    }

    private static Path copy(Path named, Path config) {
        Path name = named.isAbsolute() ? named.getFileName() : named;
        if (name == null || (named.isAbsolute() && Files.exists(named))) {
            return named;
        }
        Path beside = Files.isDirectory(config) ? config.resolve(name) : config.resolveSibling(name);
        return Files.exists(beside) ? beside : named;
    }

    /**
     * Returns the problems of the injection file. If {@code injection.file} does not name a regular file, the problem
     * is reported at this key.
     */
    private static List<ConfigProblem> ofInjection(ProblemCollector inFile, KeyPositions written) {
        return inFile.problems().stream()
                .map(problem -> !Files.isRegularFile(Path.of(problem.position().source()))
                        ? written.problem(
                                "injection.file",
                                "is " + problem.position().source() + ", which " + problem.fault(),
                                problem.fix())
                        : problem)
                .toList();
    }

    private static Loading loaded(
            GatewayConfig config, InjectionRules rules, List<ConfigProblem> warnings, KeyPositions written) {
        boolean exposed = config.isForAMachine() && config.isOpenToTheNetwork();
        return new Loading.Loaded(
                config,
                config.injection().injector(rules),
                exposed ? joined(warnings, List.of(Loading.openManagement(config, written))) : warnings,
                written);
    }

    private static List<ConfigProblem> joined(List<ConfigProblem> first, List<ConfigProblem> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    /**
     * Returns the files that contain the configuration: either the file itself, or the YAML files in the directory. The
     * caller watches these files for changes.
     */
    public static List<Path> files(Path config) {
        try {
            return Files.isDirectory(config) ? ConfigDirectory.files(config) : List.of(config);
        } catch (IOException _) {
            // The directory cannot be listed. The next attempt to read it reports the reason.
            return List.of(config);
        }
    }

    private static YamlNode parse(Path file, ProblemCollector problems) {
        if (Files.isDirectory(file)) {
            return ConfigDirectory.read(file, problems);
        }
        return ConfigFile.read(file, "a gateway configuration", problems)
                .map(text -> ConfigDocumentTree.yaml(text, problems))
                .orElse(new YamlNode.Reported(problems.document()));
    }

    private static Optional<InjectionRules> rules(
            Path file, Map<ResourceName, KeyPath> chained, ProblemCollector problems) {
        return ConfigFile.read(file, "gpuinjector's file", problems)
                .flatMap(text ->
                        new InjectionFileReader(chained, problems).read(ConfigDocumentTree.json(text, problems)));
    }

    /** The result of loading a configuration. */
    public sealed interface Loading {

        /** Returns the problems in the order of the file. The list is empty if the configuration can be used. */
        List<ConfigProblem> problems();

        /**
         * Returns the warnings. The warnings about the configuration come first, in the order of the file, and the
         * warnings about the injection file come after them.
         */
        List<ConfigProblem> warnings();

        /** Returns the section {@code tls}. If the section has problems, its values are the defaults. */
        GatewayConfig.Tls tls();

        /** Returns the section {@code peers}. If the section has problems, its values are the defaults. */
        GatewayConfig.PeerPort peers();

        /** Returns the section {@code kubernetes}. If the section has problems, its values are the defaults. */
        GatewayConfig.Kubernetes kubernetes();

        /**
         * Returns the positions of the keys in the file, for problems that are found later, such as a missing
         * certificate.
         */
        KeyPositions keyPositions();

        /**
         * Returns true if the value of this key is known: it is in the file or is the default. Returns false if a
         * problem may hide what the user meant, for example a misspelt key in the same section.
         */
        boolean isRead(String key);

        private static ConfigProblem openManagement(GatewayConfig config, KeyPositions written) {
            return written.problem(
                    "management.access",
                    "is open while management.host is " + config.management().host()
                            + " (everybody who can reach the port may read metrics, capacity and decisions)",
                    "set it to kubernetes, or management.host to 127.0.0.1");
        }

        /**
         * The configuration can be used.
         *
         * @param injector the injector with the rules of {@code injection.file}, or without rules if that key is
         *     missing
         */
        record Loaded(GatewayConfig config, Injector injector, List<ConfigProblem> warnings, KeyPositions keyPositions)
                implements Loading {
            public Loaded {
                warnings = List.copyOf(warnings);
            }

            @Override
            public List<ConfigProblem> problems() {
                return List.of();
            }

            @Override
            public GatewayConfig.Tls tls() {
                return config.tls();
            }

            @Override
            public GatewayConfig.PeerPort peers() {
                return config.peers();
            }

            @Override
            public GatewayConfig.Kubernetes kubernetes() {
                return config.kubernetes();
            }

            @Override
            public boolean isRead(String key) {
                return true;
            }

            /**
             * Returns a warning if this gateway runs in availability mode, in which it reserves devices, and has no
             * certificate for other replicas. It then cannot share its reservations with them.
             */
            public Optional<ConfigProblem> warningOfOneReplica() {
                return config.policy().reserve() && !config.sharesReservations()
                        ? Optional.of(keyPositions.problem(
                                "peers",
                                "has no files, so availability mode runs as one replica: others would only wait to take"
                                        + " over (missing: " + String.join(", ", CertificateUse.PEERS.keys()) + ")",
                                "make them with '" + CertificateUse.PEERS.commandToMake()
                                        + "DIR', or set tls.mode: self-managed"))
                        : Optional.empty();
            }

            /**
             * Returns a warning if the process runs outside a pod and anybody in the network may read its management
             * port. In a pod, there is no warning, because the NetworkPolicy of the manifests protects the port.
             *
             * @param environment the environment variables of the process. In a pod, the kubelet sets
             *     {@code KUBERNETES_SERVICE_HOST}
             */
            public Optional<ConfigProblem> warningOutsideOfPods(Map<String, String> environment) {
                boolean exposed = !environment.containsKey("KUBERNETES_SERVICE_HOST")
                        && !config.isForAMachine()
                        && config.isOpenToTheNetwork();
                return exposed ? Optional.of(openManagement(config, keyPositions)) : Optional.empty();
            }
        }

        /**
         * The configuration cannot be used.
         *
         * @param problems at least one problem
         * @param injection the injection file if the configuration names one; it is kept because the problem may be in
         *     that file
         */
        record NotLoaded(
                List<ConfigProblem> problems,
                List<ConfigProblem> warnings,
                Optional<Path> injection,
                GatewayConfig.Tls tls,
                GatewayConfig.PeerPort peers,
                GatewayConfig.Kubernetes kubernetes,
                KeyPositions keyPositions)
                implements Loading {
            public NotLoaded {
                problems = List.copyOf(problems);
                warnings = List.copyOf(warnings);
            }

            /**
             * Returns false if the value of the key may be missing because of a mistake: a misspelt key in the same
             * section, or a section or file that cannot be read.
             */
            @Override
            public boolean isRead(String key) {
                String section = key.substring(0, key.indexOf('.'));
                return keyPositions.positionOf(key).isPresent()
                        ? problems.stream().noneMatch(problem -> problem.key().equals(key))
                        : problems.stream()
                                .filter(problem -> !isInInjectionFile(problem))
                                .map(ConfigProblem::key)
                                .noneMatch(wrong -> wrong.equals(section)
                                        || wrong.startsWith(section + '.')
                                        || wrong.equals(KeyPath.ROOT.toString())
                                        || wrong.equals(ConfigDirectory.SUBJECT));
            }

            private boolean isInInjectionFile(ConfigProblem problem) {
                return injection.isPresent()
                        && injection.get().toString().equals(problem.position().source());
            }
        }
    }
}
