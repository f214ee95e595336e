package dev.sluice.cli;

import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.config.GatewayConfig;
import dev.sluice.config.KeyPositions;
import dev.sluice.tls.CertificateUse;
import dev.sluice.tls.PemFile;
import dev.sluice.tls.TlsCertificateReader;
import dev.sluice.tls.TlsCertificateReader.TlsFiles;
import dev.sluice.tls.TlsCertificateReader.TlsReading;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The problems that the command {@code serve} would find in the TLS files of a configuration.
 *
 * @param problems mistakes that prevent {@code serve} from starting
 * @param warnings possible mistakes; a missing file is only a warning, because the configuration may be for another
 *     machine
 */
record CheckCommandCertificates(List<String> problems, List<String> warnings) {

    CheckCommandCertificates {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    /** Checks those TLS files of the configuration that exist on this machine. */
    static CheckCommandCertificates of(Loading loading, Instant now) {
        CheckCommandCertificates webhook =
                of(loading, named(loading.tls()), CertificateUse.WEBHOOK, () -> read(loading.tls(), now));
        Optional<TlsFiles> files =
                loading.peers().files().filter(_ -> loading.tls().mode() == GatewayConfig.TlsMode.FILES);
        return files.isEmpty()
                ? webhook
                : webhook.and(of(
                        loading,
                        named(files.get()),
                        CertificateUse.PEERS,
                        () -> readPeers(loading.tls(), files.get(), now)));
    }

    private static CheckCommandCertificates of(
            Loading loading, Map<String, Path> named, CertificateUse use, Supplier<CheckCommandCertificates> read) {
        KeyPositions written = loading.keyPositions();
        Set<String> here = new HashSet<>();
        List<String> warnings = new ArrayList<>();
        named.forEach((key, file) -> {
            if (loading.isRead(key) && Files.isReadable(file)) {
                here.add(key);
            } else if (loading.isRead(key)) {
                warnings.add(missing(key, file, written));
            }
        });
        if (here.isEmpty()) {
            // None of the files exists here, so the configuration is probably for another machine. The TLS library of
            // this machine is therefore not checked.
            return new CheckCommandCertificates(List.of(), warnings);
        }
        CheckCommandCertificates found = read.get();
        warnings.addAll(placed(found.warnings, use, here, written));
        return new CheckCommandCertificates(placed(found.problems, use, here, written), warnings);
    }

    private CheckCommandCertificates and(CheckCommandCertificates other) {
        return new CheckCommandCertificates(
                Stream.concat(problems.stream(), other.problems.stream()).toList(),
                Stream.concat(warnings.stream(), other.warnings.stream()).toList());
    }

    private static Map<String, Path> named(GatewayConfig.Tls tls) {
        Map<String, Path> files = new LinkedHashMap<>();
        if (tls.mode() == GatewayConfig.TlsMode.FILES) {
            files.put(CertificateUse.WEBHOOK.certificateKey(), tls.certificate());
            files.put(CertificateUse.WEBHOOK.privateKeyKey(), tls.key());
        }
        if (tls.clientCa() != null) {
            files.put(CertificateUse.WEBHOOK.authorityKey(), tls.clientCa());
        }
        return files;
    }

    private static Map<String, Path> named(TlsFiles files) {
        Map<String, Path> named = new LinkedHashMap<>();
        named.put(files.use().certificateKey(), files.certificate());
        named.put(files.use().privateKeyKey(), files.key());
        named.put(files.use().authorityKey(), files.clientCa().orElseThrow());
        return named;
    }

    private static String missing(String key, Path file, KeyPositions written) {
        return written.problem(
                        key,
                        "is " + file + ", which cannot be read on this machine",
                        "expected a file where the gateway runs")
                .toString();
    }

    /**
     * Checks all TLS files of the webhook, and also reports those that do not exist on this machine. Each sentence in
     * the result begins with a key of the configuration.
     */
    private static CheckCommandCertificates read(GatewayConfig.Tls tls, Instant now) {
        return switch (tls.mode()) {
            case FILES -> judged(TlsCertificateReader.read(files(tls), tls.engine(), now));
            case SELF_MANAGED -> readClientAuthorities(Objects.requireNonNull(tls.clientCa()), now);
        };
    }

    /**
     * Checks the files of the certificate for replicas, and warns if they share an authority with the files of the
     * webhook.
     */
    private static CheckCommandCertificates readPeers(GatewayConfig.Tls tls, TlsFiles files, Instant now) {
        TlsReading webhook = TlsCertificateReader.read(files(tls), tls.engine(), now);
        TlsReading peers = TlsCertificateReader.read(files, tls.engine(), now);
        Optional<String> shared =
                webhook instanceof TlsReading.Usable ofWebhook && peers instanceof TlsReading.Usable ofPeers
                        ? TlsCertificateReader.warningOfSharedAuthority(files, ofWebhook.tls(), ofPeers.tls())
                        : Optional.empty();
        return judged(peers)
                .and(new CheckCommandCertificates(List.of(), shared.stream().toList()));
    }

    private static TlsFiles files(GatewayConfig.Tls tls) {
        return new TlsFiles(tls.certificate(), tls.key(), Optional.ofNullable(tls.clientCa()));
    }

    private static CheckCommandCertificates judged(TlsReading reading) {
        return switch (reading) {
            case TlsReading.Usable usable -> new CheckCommandCertificates(List.of(), usable.warnings());
            case TlsReading.UnusableTls refused -> new CheckCommandCertificates(refused.problems(), refused.warnings());
        };
    }

    private static CheckCommandCertificates readClientAuthorities(Path file, Instant now) {
        try {
            var _ = PemFile.read(file).clientAuthorities(now);
            return new CheckCommandCertificates(List.of(), List.of());
        } catch (PemFile.UnusableFileException refused) {
            return new CheckCommandCertificates(
                    List.of(CertificateUse.WEBHOOK.authorityKey() + ": " + refused.getMessage()), List.of());
        }
    }

    /** Returns the sentences about files on this machine, each with the position of its key in the configuration. */
    private static List<String> placed(
            List<String> sentences, CertificateUse use, Set<String> here, KeyPositions written) {
        return sentences.stream()
                .filter(sentence -> isAbout(use, here, keyOf(sentence)))
                .map(sentence -> written.problem(keyOf(sentence), "", "").position() + ": " + sentence)
                .toList();
    }

    /**
     * Returns true if the files exist here that a sentence with this key is about. The key of a file stands for that
     * file. The name of the section stands for the certificate and its private key. For all other keys, returns true.
     */
    private static boolean isAbout(CertificateUse use, Set<String> here, String key) {
        return use.keys().contains(key)
                ? here.contains(key)
                : !key.equals(use.section()) || here.containsAll(Set.of(use.certificateKey(), use.privateKeyKey()));
    }

    private static String keyOf(String sentence) {
        return sentence.substring(0, sentence.indexOf(':'));
    }
}
