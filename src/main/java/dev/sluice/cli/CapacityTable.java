package dev.sluice.cli;

import dev.sluice.api.CapacityReport;
import dev.sluice.api.CapacityReport.Amount;
import dev.sluice.api.CapacityReport.NodeAmounts;
import dev.sluice.api.CapacityReport.Sum;
import dev.sluice.cli.console.Columns;
import dev.sluice.cli.console.TerminalPage;
import dev.sluice.cluster.quantity.AmountText;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.text.CountText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints the capacity report as tables, beginning with the sums over all nodes. */
public record CapacityTable(TerminalPage page) {

    /**
     * The maximum number of nodes that are printed one by one. In a larger cluster, only devices are printed, and nodes
     * with the same amount of a device share a line.
     */
    private static final int MOST_SINGLE_NODES = 30;

    public void print(CapacityReport report) {
        amounts(report);
        leftOut(report.leftOut().nodes().sentence("node"));
        leftOut(report.leftOut().pods().sentence("pod"));
    }

    private void leftOut(String sentence) {
        if (!sentence.isEmpty()) {
            page.line();
            page.sentence(sentence + ".");
        }
    }

    private void amounts(CapacityReport report) {
        if (report.cluster().isEmpty()) {
            page.line("No node has anything to give ("
                    + CountText.of(report.nodes().size(), "node") + ").");
            return;
        }
        sums(report);
        page.line();
        nodes(report);
        if (report.unplaced() > 0) {
            page.line();
            page.words(
                    "",
                    CountText.of(report.unplaced(), "pending pod fits", "pending pods fit")
                            + " on no node; not counted above.");
        }
    }

    private void sums(CapacityReport report) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(heading(report, List.of("RESOURCE"), List.of("ON NODES", "MAX PER NODE")));
        for (Sum sum : report.cluster()) {
            ResourceName resource = sum.resource();
            List<String> row = new ArrayList<>(
                    List.of(resource.value(), text(resource, sum.total().allocatable())));
            if (report.podsKnown()) {
                row.addAll(taken(sum.total()));
                row.add(text(resource, sum.available()));
            }
            row.add(CountText.number(sum.nodes()) + " of "
                    + CountText.number(report.nodes().size()));
            row.add(text(resource, report.podsKnown() ? sum.largestAvailable() : sum.largest()));
            rows.add(row);
        }
        new Columns(page, 1).print(rows);
    }

    /**
     * Returns the heading. If the pods are known, the table has additional columns for the allocated, reserved and
     * available amounts.
     */
    private static List<String> heading(CapacityReport report, List<String> names, List<String> numbers) {
        List<String> heading = new ArrayList<>(names);
        heading.add("ALLOCATABLE");
        if (report.podsKnown()) {
            heading.addAll(List.of("ALLOCATED", "RESERVED", "AVAILABLE"));
        }
        heading.addAll(numbers);
        return heading;
    }

    private void nodes(CapacityReport report) {
        List<NodeAmounts> having =
                report.nodes().stream().filter(node -> isShown(report, node)).toList();
        List<List<String>> rows = new ArrayList<>();
        rows.add(heading(report, List.of("NODE", "RESOURCE"), List.of()));
        if (having.size() <= MOST_SINGLE_NODES) {
            having.forEach(node -> rows.addAll(rows(report, node)));
        } else {
            rows.addAll(alike(report, having));
        }
        new Columns(page, 2).print(rows);
        int without = report.nodes().size() - having.size();
        if (without > 0) {
            page.line();
            page.line(hidden(report, without));
        }
    }

    private static String hidden(CapacityReport report, int nodes) {
        String what = report.cluster().size() == 1
                ? report.cluster().getFirst().resource().value()
                : "GPUs or other devices";
        return CountText.of(nodes, "node") + " without " + what + (nodes == 1 ? " is not shown." : " are not shown.");
    }

    /** Returns true if the node is printed. If the cluster has devices, nodes without devices are not printed. */
    private static boolean isShown(CapacityReport report, NodeAmounts node) {
        boolean devices = report.cluster().getFirst().resource().isExtended();
        return node.amounts().stream()
                .anyMatch(amount -> !devices || amount.resource().isExtended());
    }

    private static List<List<String>> rows(CapacityReport report, NodeAmounts node) {
        List<List<String>> rows = new ArrayList<>();
        for (Amount amount : node.amounts()) {
            rows.add(row(report, rows.isEmpty() ? name(node) : "", amount));
        }
        return rows;
    }

    private static String name(NodeAmounts node) {
        return node.node() + (node.cordoned() ? " (cordoned)" : "");
    }

    /**
     * The key of a line: nodes with equal keys share one line. A cordoned node never shares a line with a node that is
     * not cordoned.
     */
    private record NodeRow(Amount amount, boolean cordoned) {}

    private static List<List<String>> alike(CapacityReport report, List<NodeAmounts> nodes) {
        boolean devices = report.cluster().getFirst().resource().isExtended();
        Map<NodeRow, List<String>> names = new LinkedHashMap<>();
        for (NodeAmounts node : nodes) {
            for (Amount amount : node.amounts()) {
                if (!devices || amount.resource().isExtended()) {
                    names.computeIfAbsent(new NodeRow(amount, node.cordoned()), _ -> new ArrayList<>())
                            .add(name(node));
                }
            }
        }
        return names.entrySet().stream()
                .map(same ->
                        row(report, together(same.getValue()), same.getKey().amount()))
                .toList();
    }

    private static String together(List<String> names) {
        return names.getFirst() + (names.size() == 1 ? "" : " and " + CountText.number(names.size() - 1L) + " like it");
    }

    private static List<String> row(CapacityReport report, String node, Amount amount) {
        List<String> row = new ArrayList<>(List.of(node, amount.resource().value(), allocatable(amount)));
        if (report.podsKnown()) {
            row.addAll(taken(amount));
            row.add(text(amount.resource(), amount.available()));
        }
        return row;
    }

    private static List<String> taken(Amount amount) {
        return List.of(text(amount.resource(), amount.allocated()), text(amount.resource(), amount.reserved()));
    }

    /**
     * Returns the Allocatable of a resource as text. If some devices are unhealthy, the text also contains the
     * capacity.
     */
    private static String allocatable(Amount amount) {
        boolean unhealthy = amount.resource().isExtended() && amount.capacity() > amount.allocatable();
        return text(amount.resource(), amount.allocatable())
                + (unhealthy ? " of " + CountText.number(amount.capacity()) : "");
    }

    private static String text(ResourceName resource, long amount) {
        return AmountText.of(resource, amount);
    }
}
