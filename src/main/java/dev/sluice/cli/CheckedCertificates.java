package dev.sluice.cli;

import dev.sluice.config.GatewayConfig;
import dev.sluice.config.tree.KeyPositions;
import dev.sluice.config.tree.Problem;
import dev.sluice.tls.TlsReader;
import dev.sluice.tls.TlsReader.TlsFiles;
import dev.sluice.tls.TlsReader.TlsReading;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is wrong with the TLS files that a configuration names, as {@code serve} would find it.
 *
 * @param problems make {@code serve} refuse to start
 * @param warnings what may be wrong; a missing file is only a warning, because the configuration may be meant for
 *     another machine
 */
record CheckedCertificates(List<String> problems, List<String> warnings) {

    private static final CheckedCertificates NONE = new CheckedCertificates(List.of(), List.of());

    CheckedCertificates {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    /** Reads the files if all of them are on this machine. */
    static CheckedCertificates of(GatewayConfig.Tls tls, KeyPositions written, Instant now) {
        List<String> missing = missing(tls, written);
        if (tls.mode() != GatewayConfig.TlsMode.FILES || !missing.isEmpty()) {
            return new CheckedCertificates(List.of(), missing);
        }
        TlsFiles files = new TlsFiles(tls.certificate(), tls.key(), Optional.ofNullable(tls.clientCa()));
        return switch (TlsReader.read(files, tls.engine(), now)) {
            case TlsReading.Usable usable -> new CheckedCertificates(List.of(), placed(usable.warnings(), written));
            case TlsReading.UnusableTls refused ->
                new CheckedCertificates(placed(refused.problems(), written), List.of());
        };
    }

    private static List<String> missing(GatewayConfig.Tls tls, KeyPositions written) {
        return named(tls).entrySet().stream()
                .filter(entry -> !Files.isReadable(entry.getValue()))
                .map(entry -> written.problem(
                                entry.getKey(),
                                "is " + entry.getValue() + ", which cannot be read on this machine",
                                "expected a file where the gateway runs")
                        .toString())
                .toList();
    }

    private static Map<String, Path> named(GatewayConfig.Tls tls) {
        Map<String, Path> files = new LinkedHashMap<>();
        if (tls.mode() == GatewayConfig.TlsMode.FILES) {
            files.put("tls.certificate", tls.certificate());
            files.put("tls.key", tls.key());
        }
        if (tls.clientCa() != null) {
            files.put("tls.clientCa", tls.clientCa());
        }
        return files;
    }

    /** Each sentence begins with a key. The position of that key is put in front of it. */
    private static List<String> placed(List<String> sentences, KeyPositions written) {
        return sentences.stream()
                .map(sentence -> {
                    Problem place = written.problem(sentence.substring(0, sentence.indexOf(':')), "", "");
                    return place.position() + ": " + sentence;
                })
                .toList();
    }

    /** The problems alone. Warnings about missing files say nothing if the section itself could not be read. */
    CheckedCertificates problemsAlone() {
        return problems.isEmpty() ? NONE : new CheckedCertificates(problems, List.of());
    }
}
