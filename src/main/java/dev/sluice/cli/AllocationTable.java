package dev.sluice.cli;

import dev.sluice.api.AllocationReport;
import dev.sluice.api.AllocationReport.AllocationEntry;
import dev.sluice.api.AllocationReport.By;
import dev.sluice.cli.console.Columns;
import dev.sluice.cli.console.TerminalPage;
import dev.sluice.cluster.quantity.AmountText;
import dev.sluice.text.CountText;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints how much of each resource the namespaces or pods use. The table has a line for each resource and namespace, or
 * for each resource and pod.
 */
record AllocationTable(TerminalPage page) {

    void print(AllocationReport report) {
        if (report.entries().isEmpty()) {
            page.line("No pod asks for a resource that is shown here.");
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(
                switch (report.by()) {
                    case POD -> List.of("RESOURCE", "POD", "ALLOCATED", "OF ALLOCATABLE", "WAITING");
                    case NAMESPACE ->
                        List.of("RESOURCE", "NAMESPACE", "ALLOCATED", "OF ALLOCATABLE", "WAITING", "PODS");
                });
        String above = "";
        for (AllocationEntry entry : report.entries()) {
            String resource = entry.resource().value();
            rows.add(row(report.by(), entry, resource.equals(above) ? "" : resource));
            above = resource;
        }
        new Columns(page, 2).print(rows);
    }

    private static List<String> row(By by, AllocationEntry entry, String resource) {
        List<String> row = new ArrayList<>(List.of(
                resource,
                entry.owner(),
                AmountText.of(entry.resource(), entry.allocated()),
                entry.allocatable() == 0 ? "-" : entry.percent() + "%",
                AmountText.of(entry.resource(), entry.waiting())));
        if (by == By.NAMESPACE) {
            row.add(CountText.number(entry.pods()));
        }
        return row;
    }
}
