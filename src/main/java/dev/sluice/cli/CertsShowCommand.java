package dev.sluice.cli;

import dev.sluice.cli.console.ConnectionOption;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.tls.CertificatePath;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.PemFile;
import dev.sluice.tls.PemFile.UnusableFileException;
import dev.sluice.tls.selfmanaged.StoredTrust;
import dev.sluice.tls.selfmanaged.WebhookCaBundle;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command {@code sluice certs show}. It prints the certificates in files, and checks whether the key beside each
 * file belongs to its certificate.
 */
@Command(
        name = "show",
        header = "Shows what is in PEM certificate files.",
        description = {
            "",
            "Prints subject, issuer, names, key type and validity of every certificate in the files. If a key lies"
                    + " beside a file (tls.key beside tls.crt), says whether it belongs.",
            ""
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  sluice certs show certs/tls.crt certs/ca.crt",
            "  sluice certs show --url https://localhost:8443",
            "  sluice certs show --secret                      whether the caBundle verifies what is in it",
            "",
            "Exit codes: 0 all is well; 1 a certificate has expired, cannot be used with the key"
                    + " beside it, or is not trusted by the caBundle; 2 a file, a server or the cluster cannot be read."
        })
final class CertsShowCommand implements Callable<Integer> {

    @Option(names = "--url", paramLabel = "URL", description = "A server whose chain is shown, as https://host:port.")
    private @Nullable URI url;

    @Option(names = "--file", paramLabel = "FILE", description = "The same as FILE alone; may be repeated.")
    private List<Path> named = List.of();

    @Option(
            names = "--secret",
            paramLabel = "[NAMESPACE/]NAME",
            arity = "0..1",
            fallbackValue = "gpu-webhook-certs",
            description = "A Secret of the cluster in the kubeconfig, and whether the caBundle of the webhook verifies"
                    + " what is in it, and what --url shows. Without a name: ${FALLBACK-VALUE}.")
    private @Nullable String secret;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "Of the Secret, where --secret names none. Without it: gpu-webhook.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private String namespace = "gpu-webhook";

    @Mixin
    private final ConnectionOption connection = new ConnectionOption();

    @Parameters(arity = "0..*", paramLabel = "FILE", description = "PEM files with certificates.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private List<Path> files = List.of();

    /** The chain that the server at the URL has sent. */
    private List<X509Certificate> served = List.of();

    /**
     * The remaining lifetime below which the command advises the user to renew the certificate. The script
     * make-certs.sh renews certificates at the same limit.
     */
    private static final Duration SOON = Duration.ofDays(30);

    @Mixin
    private final Terminal terminal = new Terminal();

    /**
     * Prints the certificates of all sources. Returns the largest of their exit codes, which is the code of the worst
     * result.
     */
    @Override
    public Integer call() {
        Instant now = Instant.now();
        if (files.isEmpty() && named.isEmpty() && url == null && secret == null) {
            throw terminal.wrongUse("name a FILE, a --url or a --secret");
        }
        int worst = url == null ? ExitCode.DONE : showServer(url, now);
        worst = secret == null ? worst : Math.max(worst, showSecret(secret, now));
        return Stream.concat(files.stream(), named.stream())
                .mapToInt(file -> show(file, now))
                .reduce(worst, Math::max);
    }

    private int showServer(URI server, Instant now) {
        try {
            List<X509Certificate> chain = CertsShowServedChain.of(server);
            served = chain;
            int worst = showAll(server.toString(), chain, now);
            return Math.max(worst, judge(server.toString(), chain, now));
        } catch (IOException | IllegalArgumentException failed) {
            terminal.err()
                    .println(server + " shows no certificate (" + failed.getMessage()
                            + "); give the address of a TLS server, such as https://localhost:8443");
            return ExitCode.WRONG_USE;
        }
    }

    private int showSecret(String name, Instant now) {
        String full = name.contains("/") ? name : namespace + "/" + name;
        String[] parts = full.split("/", -1);
        if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            throw terminal.wrongUse("--secret is '" + name + "', expected NAMESPACE/NAME, or NAME with --namespace");
        }
        try {
            return showTrust(full, connection.trust(parts[0], parts[1]), now);
        } catch (ClusterStateException failed) {
            terminal.err().println(failed.getMessage());
            return ExitCode.WRONG_USE;
        }
    }

    private int showTrust(String name, StoredTrust stored, Instant now) {
        List<X509Certificate> leaf =
                stored.certificates().leaf().map(CertifiedKey::chain).orElse(List.of());
        List<X509Certificate> trusted =
                stored.trust().map(WebhookCaBundle::authorities).orElse(List.of());
        // The certificates of tls.crt, ca.crt and the caBundle are printed, but only the exit code for tls.crt counts.
        // An expired authority is no problem if another authority has signed the certificate.
        List<Integer> codes = List.of(
                showAll("Secret " + name + ", tls.crt", leaf, now),
                showAll("Secret " + name + ", ca.crt", stored.certificates().authorities(), now),
                showAll("caBundle of " + StoredTrust.CONFIGURATION, trusted, now));
        List<String> problems = new CertsShowSecret(stored, now).problems(served);
        problems.forEach(terminal.err()::println);
        terminal.out()
                .println(
                        problems.isEmpty()
                                ? "the caBundle verifies the certificate in the Secret; sluice status proves what is served"
                                : "SOMETHING IS WRONG");
        return problems.isEmpty() ? codes.getFirst() : ExitCode.NO;
    }

    private int showAll(String source, List<X509Certificate> certificates, Instant now) {
        int worst = ExitCode.DONE;
        for (int i = 0; i < certificates.size(); i++) {
            terminal.out().println(source + ", certificate " + (i + 1) + " of " + certificates.size());
            worst = Math.max(worst, print(new CertsShowText(certificates.get(i), now)));
        }
        return worst;
    }

    /** Checks the chain that a server sends, as a client would check it. */
    private int judge(String source, List<X509Certificate> chain, Instant now) {
        Optional<String> problem = new CertificatePath(chain).problem(now);
        problem.ifPresent(found -> terminal.err().println(source + " " + found));
        if (chain.getFirst().getNotAfter().toInstant().isBefore(now.plus(SOON))) {
            terminal.out()
                    .println("  to do       renew it, with 'sluice certs make --force', tls/make-certs.sh or"
                            + " cert-manager; the gateway serves the new one without a restart");
        }
        return problem.isPresent() ? ExitCode.NO : ExitCode.DONE;
    }

    private int show(Path path, Instant now) {
        try {
            PemFile file = PemFile.read(path);
            List<X509Certificate> certificates = file.certificates();
            int worst = showAll(path.toString(), certificates, now);
            return Math.max(worst, showKeyBeside(file));
        } catch (UnusableFileException e) {
            terminal.err().println(e.getMessage());
            return ExitCode.WRONG_USE;
        }
    }

    private int print(CertsShowText text) {
        PrintWriter out = terminal.out();
        out.println("  subject     " + text.subject());
        out.println("  issuer      " + text.issuer());
        out.println("  names       " + text.names());
        out.println("  key         " + text.keyType());
        out.println("  authority   " + (text.isAuthority() ? "yes, it may sign others" : "no"));
        out.println("  not before  " + text.notBefore());
        out.println("  not after   " + text.notAfter());
        return text.isExpired() ? ExitCode.NO : ExitCode.DONE;
    }

    private int showKeyBeside(PemFile file) {
        Optional<Path> key = keyBeside(file.path());
        if (key.isEmpty()) {
            return ExitCode.DONE;
        }
        try {
            CertifiedKey belonging = file.withKey(PemFile.read(key.get()));
            terminal.out()
                    .println("  key file    " + key.get() + " belongs to it ("
                            + belonging.key().getAlgorithm() + ")");
            return ExitCode.DONE;
        } catch (UnusableFileException e) {
            terminal.out().println("  key file    " + key.get() + " cannot be used with it");
            terminal.err().println(e.getMessage());
            return ExitCode.NO;
        }
    }

    /**
     * Returns the file for the key of a certificate. It has the name of the certificate's file with the extension
     * {@code .key}.
     */
    private static Optional<Path> keyBeside(Path certificate) {
        String name = String.valueOf(certificate.getFileName());
        int dot = name.lastIndexOf('.');
        Path key = certificate.resolveSibling((dot > 0 ? name.substring(0, dot) : name) + ".key");
        return key.equals(certificate) || !Files.isRegularFile(key) ? Optional.empty() : Optional.of(key);
    }
}
