package dev.sluice.cli;

import dev.sluice.codec.CapacityReport;
import dev.sluice.codec.CapacityReport.Amount;
import dev.sluice.codec.CapacityReport.NodeAmounts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a cluster has, for people: the sums first. */
public record CapacityTable(Page page) {

    /** Beyond a screenful of nodes, those that are alike share their lines. */
    private static final int NODES_ONE_BY_ONE = 30;

    private static final int GAP = 3;

    public void print(CapacityReport report) {
        if (report.cluster().isEmpty()) {
            page.line("No node has a GPU or another extended resource ("
                    + number(report.nodes().size()) + (report.nodes().size() == 1 ? " node)." : " nodes)."));
            return;
        }
        sums(report);
        page.line();
        nodes(report);
    }

    private void sums(CapacityReport report) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("RESOURCE", "ALLOCATABLE", "ON NODES", "LARGEST"));
        for (CapacityReport.Sum sum : report.cluster()) {
            rows.add(List.of(
                    sum.resource().value(),
                    number(sum.allocatable()),
                    number(sum.nodes()) + " of " + number(report.nodes().size()),
                    number(sum.largest())));
        }
        table(rows);
    }

    private void nodes(CapacityReport report) {
        List<NodeAmounts> having = report.nodes().stream()
                .filter(node -> !node.amounts().isEmpty())
                .toList();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("NODE", "RESOURCE", "ALLOCATABLE"));
        if (having.size() <= NODES_ONE_BY_ONE) {
            having.forEach(node -> rows.addAll(rows(node.node(), node.amounts())));
        } else {
            alike(having).forEach((amounts, names) -> rows.addAll(rows(name(names), amounts)));
        }
        table(rows);
        int without = report.nodes().size() - having.size();
        if (without > 0) {
            page.line();
            page.line(number(without) + (without == 1 ? " more node has none." : " more nodes have none."));
        }
    }

    private static Map<List<Amount>, List<String>> alike(List<NodeAmounts> nodes) {
        Map<List<Amount>, List<String>> names = new LinkedHashMap<>();
        nodes.forEach(node ->
                names.computeIfAbsent(node.amounts(), _ -> new ArrayList<>()).add(node.node()));
        return names;
    }

    private static String name(List<String> names) {
        return names.getFirst() + (names.size() == 1 ? "" : " and " + number(names.size() - 1L) + " like it");
    }

    private static List<List<String>> rows(String node, List<Amount> amounts) {
        return amounts.stream()
                .map(amount -> List.of(node, amount.resource().value(), allocatable(amount)))
                .toList();
    }

    /** Where devices are unhealthy, what there would be without that, too. */
    private static String allocatable(Amount amount) {
        return number(amount.allocatable())
                + (amount.capacity() > amount.allocatable() ? " of " + number(amount.capacity()) : "");
    }

    /** Names to the left, numbers to the right; the first row is the heading. */
    private void table(List<List<String>> rows) {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        rows.forEach(row -> {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        for (int at = 0; at < rows.size(); at++) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String cell = rows.get(at).get(i);
                String blanks = " ".repeat(widths[i] - cell.length());
                boolean isName = rows.getFirst().get(i).startsWith("NODE")
                        || rows.getFirst().get(i).equals("RESOURCE");
                line.append(isName ? cell + blanks : blanks + cell);
                line.append(i == columns - 1 ? "" : " ".repeat(GAP));
            }
            String text = line.toString().stripTrailing();
            page.line(at == 0 ? page.ink().faint(text) : text);
        }
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
