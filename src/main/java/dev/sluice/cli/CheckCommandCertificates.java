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
 * The problems that the command {@code serve} would find in the TLS files of a configuration.
 *
 * @param problems mistakes that prevent {@code serve} from starting
 * @param warnings possible mistakes; a missing file is only a warning, because the configuration may be for another
 *     machine
 */
record CheckCommandCertificates(List<String> problems, List<String> warnings) {

    /**
     * The name at the beginning of a problem that concerns both the certificate and its private key, where other
     * problems name a configuration key.
     */
    private static final String PAIR = "tls";

    private static final String CERTIFICATE = "tls.certificate";
    private static final String KEY = "tls.key";
    private static final String CLIENT_CA = "tls.clientCa";

    CheckCommandCertificates {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    /** Checks the files that exist on this machine. */
    static CheckCommandCertificates of(Loading loading, Instant now) {
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
            // The configuration is for another machine, so the TLS library of this machine is not checked.
            return new CheckCommandCertificates(List.of(), warnings);
        }
        CheckCommandCertificates read = read(loading.tls(), now);
        warnings.addAll(placed(read.warnings, here, written));
        return new CheckCommandCertificates(placed(read.problems, here, written), warnings);
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

    /** Checks all files, including those that do not exist on this machine. Each sentence begins with a key. */
    private static CheckCommandCertificates read(GatewayConfig.Tls tls, Instant now) {
        Optional<Path> clientCa = Optional.ofNullable(tls.clientCa());
        return switch (tls.mode()) {
            case FILES ->
                switch (TlsReader.read(new TlsFiles(tls.certificate(), tls.key(), clientCa), tls.engine(), now)) {
                    case TlsReading.Usable usable -> new CheckCommandCertificates(List.of(), usable.warnings());
                    case TlsReading.UnusableTls refused ->
                        new CheckCommandCertificates(refused.problems(), refused.warnings());
                };
            case SELF_MANAGED -> readClientAuthorities(clientCa.orElseThrow(), now);
        };
    }

    private static CheckCommandCertificates readClientAuthorities(Path file, Instant now) {
        try {
            var _ = PemFile.read(file).clientAuthorities(now);
            return new CheckCommandCertificates(List.of(), List.of());
        } catch (PemFile.UnusableFileException refused) {
            return new CheckCommandCertificates(List.of(CLIENT_CA + ": " + refused.getMessage()), List.of());
        }
    }

    /**
     * Returns the sentences about files that exist on this machine. Each sentence gets the position of its key as a
     * prefix.
     */
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
