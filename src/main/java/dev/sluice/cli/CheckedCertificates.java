package dev.sluice.cli;

import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.config.GatewayConfig;
import dev.sluice.config.KeyPositions;
import dev.sluice.tls.PemFile;
import dev.sluice.tls.TlsReader;
import dev.sluice.tls.TlsReader.TlsFiles;
import dev.sluice.tls.TlsReader.TlsReading;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is wrong with the TLS files that a configuration names, as {@code serve} would find it.
 *
 * @param problems make {@code serve} refuse to start
 * @param warnings what may be wrong; a missing file is only a warning, because the configuration may be meant for
 *     another machine
 */
record CheckedCertificates(List<String> problems, List<String> warnings) {

    /** The key of sentences about the certificate and the key together. */
    private static final String PAIR = "tls";

    private static final String CERTIFICATE = "tls.certificate";
    private static final String KEY = "tls.key";
    private static final String CLIENT_CA = "tls.clientCa";

    CheckedCertificates {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    /** Reads each file that is on this machine. */
    static CheckedCertificates of(Loading loading, Instant now) {
        KeyPositions written = loading.keyPositions();
        Set<String> here = new HashSet<>();
        List<String> warnings = new ArrayList<>();
        named(loading.tls()).forEach((key, file) -> {
            if (loading.isRead(key) && Files.isReadable(file)) {
                here.add(key);
            } else if (loading.isRead(key)) {
                warnings.add(missing(key, file, written));
            }
        });
        if (here.isEmpty()) {
            // Another machine is meant, and so another TLS library.
            return new CheckedCertificates(List.of(), warnings);
        }
        CheckedCertificates read = read(loading.tls(), now);
        warnings.addAll(placed(read.warnings, here, written));
        return new CheckedCertificates(placed(read.problems, here, written), warnings);
    }

    private static Map<String, Path> named(GatewayConfig.Tls tls) {
        Map<String, Path> files = new LinkedHashMap<>();
        if (tls.mode() == GatewayConfig.TlsMode.FILES) {
            files.put(CERTIFICATE, tls.certificate());
            files.put(KEY, tls.key());
        }
        if (tls.clientCa() != null) {
            files.put(CLIENT_CA, tls.clientCa());
        }
        return files;
    }

    private static String missing(String key, Path file, KeyPositions written) {
        return written.problem(
                        key,
                        "is " + file + ", which cannot be read on this machine",
                        "expected a file where the gateway runs")
                .toString();
    }

    /** Sentences that begin with a key each, also about files that are not here. */
    private static CheckedCertificates read(GatewayConfig.Tls tls, Instant now) {
        Optional<Path> clientCa = Optional.ofNullable(tls.clientCa());
        return switch (tls.mode()) {
            case FILES ->
                switch (TlsReader.read(new TlsFiles(tls.certificate(), tls.key(), clientCa), tls.engine(), now)) {
                    case TlsReading.Usable usable -> new CheckedCertificates(List.of(), usable.warnings());
                    case TlsReading.UnusableTls refused ->
                        new CheckedCertificates(refused.problems(), refused.warnings());
                };
            case SELF_MANAGED -> readClientAuthorities(clientCa.orElseThrow(), now);
        };
    }

    private static CheckedCertificates readClientAuthorities(Path file, Instant now) {
        try {
            var _ = PemFile.read(file).clientAuthorities(now);
            return new CheckedCertificates(List.of(), List.of());
        } catch (PemFile.UnusableFileException refused) {
            return new CheckedCertificates(List.of(CLIENT_CA + ": " + refused.getMessage()), List.of());
        }
    }

    /** The sentences about what is here, each with the position of its key in front. */
    private static List<String> placed(List<String> sentences, Set<String> here, KeyPositions written) {
        return sentences.stream()
                .filter(sentence -> isAbout(here, keyOf(sentence)))
                .map(sentence -> written.problem(keyOf(sentence), "", "").position() + ": " + sentence)
                .toList();
    }

    private static boolean isAbout(Set<String> here, String key) {
        return switch (key) {
            case CERTIFICATE, KEY, CLIENT_CA -> here.contains(key);
            case PAIR -> here.containsAll(Set.of(CERTIFICATE, KEY));
            default -> true;
        };
    }

    private static String keyOf(String sentence) {
        return sentence.substring(0, sentence.indexOf(':'));
    }
}
