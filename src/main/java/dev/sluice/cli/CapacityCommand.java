package dev.sluice.cli;

import dev.sluice.api.AllocationDocument;
import dev.sluice.api.AllocationReport;
import dev.sluice.api.AllocationReport.By;
import dev.sluice.api.ApiJson;
import dev.sluice.api.CapacityDocument;
import dev.sluice.api.CapacityReport;
import dev.sluice.api.CapacityReport.ClusterUse;
import dev.sluice.api.CapacityReport.Selection;
import dev.sluice.api.ClusterContents;
import dev.sluice.cli.console.ClusterOption;
import dev.sluice.cli.console.ClusterOption.SeenContents;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.OutputOption;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.console.UserErrorSuggestions;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.dra.DeviceClass;
import dev.sluice.cluster.dra.DevicePool.PooledDevice;
import dev.sluice.cluster.dra.DraCertainty;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.config.GatewayConfig;
import dev.sluice.doctor.DiagnosedDeviceClass;
import dev.sluice.kube.facts.KubectlFileLimits;
import dev.sluice.ledger.Ledger;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code sluice capacity}. */
@Command(
        name = "capacity",
        header = "Shows what the nodes offer, GPUs first, and what of it is free.",
        description = {
            "",
            "First the sums over the cluster, then node by node; where there are many, only devices are shown, and"
                    + " nodes that are alike are counted together. Allocatable is what pods can be given; unhealthy"
                    + " devices are not in it. Allocated is what bound pods hold, Reserved what pods that wait will"
                    + " take of the nodes that have room for them, Available what is left. MAX PER NODE is"
                    + " the most that one node has available.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  sluice capacity                                       the live cluster of the kubeconfig",
            "  sluice capacity --resource 2g.20gb                    one resource; short names as in annotations",
            "  sluice capacity --node gpu-7 --cluster-snapshot cluster.yaml",
            "  sluice capacity --by namespace --resource gpu          who has the GPUs",
            "  sluice capacity -o json | jq '.cluster[]'             as /api/v1/capacity serves it",
            "",
            "Exit codes: 0 shown; 2 no such node or resource, wrong use or unreadable input."
        })
final class CapacityCommand implements Callable<Integer> {

    /** The output formats. The constants are in lower case, because users type them in this form. */
    enum CapacityOutput {
        table,
        json
    }

    /** The groups for {@code --by}. The constants are in lower case, because users type them in this form. */
    enum GroupedBy {
        node,
        namespace,
        pod
    }

    private static final String PODS_UNKNOWN =
            "What of this is allocated, reserved and available is unknown, because this"
                    + " account may not list the pods of all namespaces.";

    @Mixin
    private final ClusterOption cluster = new ClusterOption();

    @Option(
            names = "--read-limit",
            paramLabel = "MIB",
            description = "The length of the file, after decompression (${DEFAULT-VALUE}).")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private int readLimit = KubectlFileLimits.MEBIBYTES;

    @Option(
            names = "--resource",
            paramLabel = "R",
            description = "Only this one: nvidia.com/mig-2g.20gb, or short 2g.20gb or gpu.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable String resource = null;

    @Option(names = "--node", paramLabel = "N", description = "Only this node.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable String node = null;

    @Option(
            names = "--by",
            paramLabel = "WHAT",
            defaultValue = "node",
            description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}). namespace and pod show who has been given the"
                    + " capacity, and which part of Allocatable that is.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private GroupedBy by = GroupedBy.node;

    @Mixin
    private final OutputOption<CapacityOutput> output = new OutputOption<>(CapacityOutput.table);

    @Mixin
    private final Terminal terminal = new Terminal();

    @Override
    public Integer call() throws ClusterStateException, UserProblem {
        KubectlFileLimits limits = KubectlFileLimits.ofCommand(terminal.atLeastOneMebibyte(readLimit));
        SeenContents seen = seen(limits);
        ClusterContents contents = seen.contents();
        Ledger ledger = contents.ledger();
        ClusterSnapshot snapshot = ledger.snapshot();
        Selection wanted = new Selection(wantedNode(snapshot), wantedResource(snapshot), resource != null);
        switch (by) {
            case node -> {
                CapacityReport report = nodes(seen, ledger, snapshot, wanted);
                List<String> sentences = handedOut(contents, snapshot, wanted, report);
                if (!seen.podsKnown()) {
                    sentences.add(PODS_UNKNOWN);
                }
                show(report, sentences);
            }
            case namespace, pod ->
                show(AllocationReport.of(
                        contents.nodes(), contents.pods(), wanted, by == GroupedBy.pod ? By.POD : By.NAMESPACE));
        }
        terminal.out().flush();
        return ExitCode.DONE;
    }

    /**
     * Returns the nodes and pods of the cluster. With {@code --by node}, the pods may be missing if they cannot be
     * listed. The command then shows only what the nodes offer.
     */
    private SeenContents seen(KubectlFileLimits limits) throws ClusterStateException, UserProblem {
        return by == GroupedBy.node
                ? cluster.seen(GatewayConfig.Kubernetes.DEFAULT, limits, terminal.err())
                : new SeenContents(
                        cluster.contents(GatewayConfig.Kubernetes.DEFAULT, limits, terminal.err()),
                        /* podsKnown= */ true);
    }

    private static CapacityReport nodes(SeenContents seen, Ledger ledger, ClusterSnapshot snapshot, Selection wanted) {
        ClusterUse taken = seen.podsKnown()
                ? new ClusterUse.UseKnown(ledger.usage(), ledger.unplaced())
                : new ClusterUse.UseUnknown();
        return CapacityReport.of(snapshot, taken, wanted)
                .without(seen.contents().leftOut());
    }

    /**
     * Returns a sentence for each resource that DRA provides. The sentence names the DeviceClass, the nodes, and the
     * pods that use devices.
     */
    private static List<String> handedOut(
            ClusterContents contents, ClusterSnapshot snapshot, Selection wanted, CapacityReport report) {
        DraState dra = contents.dra();
        List<String> sentences = new ArrayList<>();
        Set<ResourceName> names = new TreeSet<>(dra.supply().gpus());
        names.removeIf(name -> snapshot.claimed().isSecondName(name)
                && report.cluster().stream().noneMatch(sum -> sum.resource().equals(name)));
        // The devices of each node that ResourceClaims have allocated. They are collected once for all DeviceClasses,
        // because a node may have many free devices.
        Map<String, List<PooledDevice>> held = new HashMap<>();
        if (!names.isEmpty()) {
            for (Node node : snapshot.nodesByName()) {
                held.put(
                        node.name(),
                        dra.supply().pools().devicesOn(node).stream()
                                .filter(it -> !dra.claims().holding(it.id()).isEmpty())
                                .toList());
            }
        }
        for (ResourceName name : names) {
            List<Node> nodes = snapshot.nodesByName().stream()
                    .filter(node -> (node.claims(name) || isUncertain(node, name))
                            && wanted.node().test(node.name())
                            && wanted.resource().test(name))
                    .toList();
            Optional<DeviceClass> known = dra.supply().classes().classOf(name);
            if (!nodes.isEmpty() && known.isPresent()) {
                Set<ResourceClaim> claims = new LinkedHashSet<>();
                for (Node node : nodes) {
                    held.getOrDefault(node.name(), List.of()).stream()
                            .filter(it -> known.get().contains(it.id().driver(), it.device()) == DraCertainty.YES)
                            .forEach(it -> claims.addAll(dra.claims().holding(it.id())));
                }
                sentences.add("Dynamic resource allocation hands out " + name + " (class "
                        + known.get().name() + ") on "
                        + FirstFiveNames.nodes(nodes.stream().map(Node::name).toList())
                        + (claims.isEmpty()
                                ? ""
                                : "; devices are held by " + FirstFiveNames.of(DiagnosedDeviceClass.holders(claims)))
                        + "."
                        + unknown(dra, name, nodes));
            }
        }
        return sentences;
    }

    /**
     * Returns sentences that say which numbers of devices are not known, and why. The text is empty if all of them are
     * known.
     */
    private static String unknown(DraState dra, ResourceName name, List<Node> nodes) {
        List<String> uncertain = nodes.stream()
                .filter(node -> isUncertain(node, name))
                .map(Node::name)
                .toList();
        return (dra.claims().isKnown()
                        ? ""
                        : " How many are free is unknown, because no ResourceClaim was read: the numbers count what pods ask"
                                + " for.")
                + (uncertain.isEmpty()
                        ? ""
                        : " On " + FirstFiveNames.nodes(uncertain)
                                + " there may be more of them, because a slice or a selector of the class cannot be"
                                + " judged.");
    }

    private static boolean isUncertain(Node node, ResourceName name) {
        return node.byClaims().doubtful().get(name) > 0;
    }

    private void show(AllocationReport report) {
        switch (output.format()) {
            case table -> new AllocationTable(terminal.page()).print(report);
            case json -> terminal.out().println(ApiJson.text(AllocationDocument.of(report)));
        }
    }

    private void show(CapacityReport report, List<String> handedOut) {
        switch (output.format()) {
            case table -> {
                new CapacityTable(terminal.page()).print(report);
                handedOut.forEach(sentence -> {
                    terminal.page().line();
                    terminal.page().sentence(sentence);
                });
            }
            case json -> terminal.out().println(ApiJson.text(CapacityDocument.of(report)));
        }
    }

    private Predicate<String> wantedNode(ClusterSnapshot snapshot) throws UserProblem {
        String wanted = node;
        if (wanted == null) {
            return _ -> true;
        }
        if (snapshot.node(wanted).isEmpty()) {
            throw new UserProblem("--node " + wanted + " is not a node of this cluster; "
                    + nearest(
                            wanted,
                            snapshot.nodesByName().stream().map(Node::name).toList()));
        }
        return wanted::equals;
    }

    private Predicate<ResourceName> wantedResource(ClusterSnapshot snapshot) throws UserProblem {
        String wanted = resource;
        if (wanted == null) {
            return _ -> true;
        }
        TreeSet<ResourceName> known = new TreeSet<>();
        CapacityReport.of(
                        snapshot,
                        new ClusterUse.UseUnknown(),
                        new Selection(_ -> true, _ -> true, /* secondNames= */ true))
                .cluster()
                .forEach(sum -> known.add(sum.resource()));
        if (known.stream().noneMatch(name -> isMeant(name, wanted))) {
            List<String> names =
                    known.stream().map(name -> spelled(name, wanted)).toList();
            throw new UserProblem("--resource " + wanted + " is on no node of this cluster; " + nearest(wanted, names));
        }
        return name -> isMeant(name, wanted);
    }

    /**
     * Returns true if {@code wanted} stands for this resource. It may be the full name, the short name as in the
     * fallback annotation, or the name without its domain.
     */
    private static boolean isMeant(ResourceName name, String wanted) {
        return name.value().equals(wanted)
                || name.shortName().equals(wanted)
                || name.value().endsWith("/" + wanted);
    }

    /**
     * Returns the name of a resource in the same form as {@code wanted}, which the user typed: with the domain, without
     * the domain, or as a short name. The caller suggests the name that is most similar to {@code wanted}.
     */
    private static String spelled(ResourceName name, String wanted) {
        String value = name.value();
        return wanted.contains("/")
                ? value
                : wanted.startsWith("mig-") ? value.substring(value.indexOf('/') + 1) : name.shortName();
    }

    private static String nearest(String wanted, List<String> known) {
        return known.isEmpty() ? "there is none" : UserErrorSuggestions.sentence(wanted, known);
    }
}
