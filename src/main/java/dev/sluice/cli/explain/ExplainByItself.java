package dev.sluice.cli.explain;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.api.ClusterContents;
import dev.sluice.cli.console.ClusterOption;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.status.Registration;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.ResourceFaults;
import dev.sluice.kube.facts.KubectlFileLimits;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The explanations that the command creates itself, with the configuration and the cluster that the user names. */
final class ExplainByItself implements ExplainAnswers {

    /** The maximum size, in MiB, of a cluster file that is searched for RuntimeClasses and PriorityClasses. */
    private static final int LARGEST_CLUSTER = 4;

    private final List<Explained> all;
    private final String policy;

    private ExplainByItself(List<Explained> all, String policy) {
        this.all = List.copyOf(all);
        this.policy = policy;
    }

    /**
     * The cluster in which pods are explained.
     *
     * @param err receives reports about malformed objects and objects without pods
     */
    record ExplainCluster(ClusterOption option, KubectlFileLimits limits, PrintWriter err) {}

    /**
     * Explains the files.
     *
     * @param namespace the namespace of the pods; empty to use the namespace of each object
     * @param withFaults true to search for known faults that keep the pods from getting a resource
     */
    static ExplainByItself explain(
            ExplainFiles files,
            ExplainConfig used,
            ExplainCluster cluster,
            Optional<String> namespace,
            boolean withFaults)
            throws UserProblem, ClusterStateException {
        // The configuration contains names of GPU resources. The manifests are read with these names, so the names are
        // set first.
        used.loaded().config().gpus().use();
        List<Manifest> manifests = manifests(files, cluster);
        ActivePolicy policy = ActivePolicy.first(
                used.loaded().config().policy(), used.loaded().injector());
        ClusterContents contents = policy.policies().reserve()
                ? cluster.option().contents(used.cluster(), cluster.limits(), cluster.err())
                : cluster.option().nodes(used.cluster(), cluster.limits(), cluster.err());
        ExplainOccupancy occupancy = new ExplainOccupancy(contents);
        ManifestExplanations explanations = new ManifestExplanations(
                policy.limitedBy(contents.limitRanges()), namespace, occupancy.cluster(), occupancy);
        List<Explained> explained = new ArrayList<>();
        for (Manifest manifest : manifests) {
            explained.add(explanations.explain(manifest));
        }
        if (withFaults && explained.stream().anyMatch(ExplainByItself::lacksAnything)) {
            addFaults(explained, cluster.option().faults(used.cluster(), contents.nodes()));
        }
        return new ExplainByItself(explained, used.name());
    }

    /** Returns the manifests that create pods, and prints a note about all other objects in the files. */
    private static List<Manifest> manifests(ExplainFiles files, ExplainCluster cluster) throws UserProblem {
        List<Manifest> all = new ArrayList<>();
        for (ExplainFiles.ReadFile file : files.all()) {
            List<Manifest> ofFile = ManifestReader.read(file.source(), file.content());
            all.addAll(ofFile);
            ExplainFiles.skipped(ofFile).ifPresent(cluster.err()::println);
        }
        List<Manifest> manifests = ExplainFiles.withPods(all);
        if (manifests.isEmpty()) {
            throw files.withoutPods();
        }
        List<Manifest> classes = new ArrayList<>(classes(cluster.option()));
        classes.addAll(all);
        return ManifestClasses.fill(manifests, classes);
    }

    /**
     * Returns the RuntimeClasses and PriorityClasses in the cluster file. Returns none if the file is no regular file,
     * because it is read twice. Returns none if the file is larger than {@link #LARGEST_CLUSTER}, because all its
     * objects are kept in memory.
     */
    private static List<Manifest> classes(ClusterOption option) {
        try {
            Optional<Path> file = option.file().filter(Files::isRegularFile);
            return file.isEmpty()
                    ? List.of()
                    : ManifestReader.classes(
                            file.get().toString(),
                            new ManifestFile(
                                            LARGEST_CLUSTER,
                                            Runtime.getRuntime().maxMemory())
                                    .read(file.get().toString()));
        } catch (UserProblem unread) {
            return List.of();
        }
    }

    private static boolean lacksAnything(Explained explained) {
        return explained instanceof Explained.Decided decided && decided.lacksAnything();
    }

    private static void addFaults(List<Explained> all, ResourceFaults known) throws UserProblem {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i) instanceof Explained.Decided decided) {
                Optional<PodRequest> pod = ManifestExplanations.pod(decided.manifest());
                all.set(i, pod.isPresent() ? decided.with(known, pod.get()) : decided);
            }
        }
    }

    @Override
    public List<String> namespaces() {
        return all.stream().map(Explained::namespace).toList();
    }

    @Override
    public void print(Terminal terminal, Registration registered) throws IOException {
        ExplainText text = new ExplainText(terminal.page(), registered);
        for (int i = 0; i < all.size(); i++) {
            terminal.out().print(i == 0 ? "" : System.lineSeparator());
            text.print(all.get(i));
        }
        text.end(all, policy);
    }

    @Override
    public Object document(Registration registered) throws IOException {
        return ExplainJson.document(all, registered, policy);
    }

    @Override
    public List<SentPatch> patches() throws IOException {
        List<SentPatch> patches = new ArrayList<>();
        for (Explained explained : all) {
            patches.add(new SentPatch(ExplainJson.sentPatch(explained), remark(explained)));
        }
        return patches;
    }

    private static Optional<String> remark(Explained explained) {
        if (explained instanceof Explained.Decided decided) {
            String title = decided.manifest().title();
            if (decided.policy().observes()) {
                return Optional.of(title + ": " + ExplainText.OBSERVED);
            }
            if (decided.verdict() instanceof Verdict.Denied denied) {
                return Optional.of(title + " is denied: " + Wording.of(denied).message());
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean isAnyDenied() {
        return all.stream().anyMatch(Explained::isDenied);
    }
}
