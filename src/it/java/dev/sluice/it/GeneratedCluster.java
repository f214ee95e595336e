package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Nodes of one kind, and pods that are bound to them by turns and take no GPU.
 *
 * <p>Each node offers {@code nvidia.com/gpu} and {@code nvidia.com/mig-2g.20gb}, more of them than a test can ask for.
 */
record GeneratedCluster(int nodes, int pods) {

    private static final String DEVICES = "100000";

    void writeTo(Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file, UTF_8)) {
            out.write("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
            for (int number = 0; number < nodes; number++) {
                out.write((number == 0 ? "" : ",\n") + node(number));
            }
            for (int number = 0; number < pods; number++) {
                out.write((nodes + number == 0 ? "" : ",\n") + pod(number));
            }
            out.write("]}\n");
        }
    }

    private static String node(int number) {
        String amounts =
                "{\"cpu\":\"100000\",\"memory\":\"100Ti\",\"pods\":\"100000\",\"nvidia.com/gpu\":\"%s\",\"nvidia.com/mig-2g.20gb\":\"%s\"}"
                        .formatted(DEVICES, DEVICES);
        return """
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"node-%d","uid":"node-%d","resourceVersion":"%d",\
            "labels":{"kubernetes.io/hostname":"node-%d","kubernetes.io/os":"linux"}},"spec":{},\
            "status":{"allocatable":%s,"capacity":%s}}""".formatted(number, number, number + 1, number, amounts, amounts);
    }

    private String pod(int number) {
        return """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod-%d","namespace":"team-%d","uid":"pod-%d",\
            "resourceVersion":"%d"},"spec":{"nodeName":"node-%d","containers":[{"name":"c","image":"i",\
            "resources":{"requests":{"cpu":"100m","memory":"64Mi"}}}]},"status":{"phase":"Running"}}""".formatted(number, number % 40, number, nodes + number + 1, number % nodes);
    }
}
