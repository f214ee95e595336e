package dev.sluice.cli;

import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.Terminal;
import dev.sluice.files.FileReadFailure;
import dev.sluice.text.SafeText;
import dev.sluice.text.ShellWord;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertificateUse;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.PemFile.UnusableFileException;
import dev.sluice.tls.ServerCertificateNames;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The command {@code sluice certs make}. It creates an authority, or uses an existing one, and issues a certificate
 * with its key.
 */
@Command(
        name = "make",
        header = "Makes an authority and a P-256 certificate signed by it.",
        description = {
            "",
            "Writes ca.crt, ca.key, tls.crt and tls.key into a directory. An authority that is already there is used"
                    + " again, so that a caBundle filled earlier stays right. Nothing is overwritten without --force.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  sluice certs make --dir certs",
            "      for the service gpu-webhook in the namespace gpu-webhook, and localhost",
            "  sluice certs make --dir certs --days 90 --force",
            "      a new pair by the same authority, for 90 days",
            "  sluice certs make --dir lab --name gpu.lab.example --ip 10.0.0.7",
            "      for a gateway outside the cluster",
            "  sluice certs make --client --dir caller",
            "      for the API server, so that the gateway knows it (tls.clientCa)",
            "  sluice certs make --peers --dir certs",
            "      for the replicas, so that they know each other in availability mode (peers)",
            "",
            "Exit codes: 0 made; 2 wrong use, files in the way, or a file or directory that"
                    + " cannot be read or written."
        })
final class CertsMakeCommand implements Callable<Integer> {

    private static final int MOST_DAYS = 3650;
    /** The names of the Service inside the cluster, and localhost for tests on this machine. */
    private static final List<String> DEFAULT_NAMES = List.of(
            "gpu-webhook.gpu-webhook.svc",
            "gpu-webhook.gpu-webhook.svc.cluster.local",
            "gpu-webhook.gpu-webhook",
            "localhost");

    private static final List<String> DEFAULT_ADDRESSES = List.of("127.0.0.1");
    /**
     * The default name in a client certificate. The manifests in k8s/components/client-certificates accept only this
     * name.
     */
    private static final String CALLER = "gpu-webhook-caller";

    private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z0-9_./-]+");

    @Option(names = "--dir", required = true, paramLabel = "DIR", description = "Where the files go; made if missing.")
    private Path directory = Path.of(".");

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "A DNS name of the gateway; may be repeated. Without --name and --ip: the names that a"
                    + " service gpu-webhook has in the namespace gpu-webhook, localhost and 127.0.0.1.")
    private List<String> names = List.of();

    @Option(names = "--ip", paramLabel = "IP", description = "An IP address of the gateway; may be repeated.")
    private List<String> addresses = List.of();

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "365",
            description = "How long the certificate lasts, 1 to 3650 (${DEFAULT-VALUE}). The authority lasts 3650.")
    private int days;

    @Option(
            names = "--client",
            description =
                    "The certificate is for the API server, to be shown to the gateway. Without --name and --ip it"
                            + " bears the name gpu-webhook-caller.")
    private boolean client;

    @Option(
            names = "--peers",
            description = "The certificate is for the replicas, to be shown to each other in availability mode. The"
                    + " names of the four files begin with peers-, and it bears the name gpu-webhook-peers.")
    private boolean peers;

    @Option(names = "--force", description = "Replace tls.crt and tls.key, and an authority that cannot be used again.")
    private boolean force;

    @Mixin
    private final Terminal terminal = new Terminal();

    @Override
    public Integer call() {
        ServerCertificateNames serverNames = serverNames();
        CertsMakeFiles files = CertsMakeFiles.in(directory, use());
        List<Path> existing = CertsMakeFiles.existing(files.certificate(), files.key());
        if (!existing.isEmpty() && !force) {
            return fail(existing.stream().map(Path::toString).collect(Collectors.joining(" and "))
                    + (existing.size() == 1 ? " exists" : " exist")
                    + " already; add --force to replace, or choose another --dir");
        }
        try {
            Files.createDirectories(directory);
            make(files, serverNames);
            return ExitCode.DONE;
        } catch (UnusableFileException e) {
            return fail(e.getMessage() + "; or add --force for a new authority, and fill every caBundle again");
        } catch (IOException e) {
            return fail("cannot write to " + directory + reason(e) + "; choose a directory that this user may write");
        }
    }

    /**
     * Returns the reason why the files could not be written, in brackets. It is empty if the directory is missing or
     * may not be written, because the error message already says what to do then.
     */
    private String reason(IOException failed) {
        if (Files.isRegularFile(directory)) {
            return " (it is a file)";
        }
        return switch (FileReadFailure.of(failed)) {
            case MISSING, DENIED -> "";
            case NOT_UTF8, OTHER ->
                failed instanceof FileSystemException known && known.getReason() != null
                        ? " (" + known.getReason() + ")"
                        : " (" + failed.getMessage() + ")";
        };
    }

    private CertificateUse use() {
        return peers ? CertificateUse.PEERS : CertificateUse.WEBHOOK;
    }

    private ServerCertificateNames serverNames() {
        if (peers && (client || !names.isEmpty() || !addresses.isEmpty())) {
            throw terminal.wrongUse("--peers stands without --client, --name and --ip, because replicas know each other"
                    + " by one name");
        }
        boolean defaults = names.isEmpty() && addresses.isEmpty();
        List<String> dnsNames = defaults ? (client ? List.of(CALLER) : DEFAULT_NAMES) : names;
        List<String> ipAddresses = defaults && !client ? DEFAULT_ADDRESSES : addresses;
        List<String> problems = ServerCertificateNames.problems(dnsNames, ipAddresses);
        if (!problems.isEmpty()) {
            throw terminal.wrongUse(String.join(System.lineSeparator(), problems));
        }
        if (days < 1 || days > MOST_DAYS) {
            throw terminal.wrongUse("--days is " + days + ", expected 1.." + MOST_DAYS);
        }
        return new ServerCertificateNames(dnsNames, ipAddresses);
    }

    private void make(CertsMakeFiles files, ServerCertificateNames serverNames)
            throws IOException, UnusableFileException {
        // The current time is cut to whole seconds, like the times in a certificate. Otherwise a lifetime of 365 days
        // would be printed as 364 days.
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Optional<CertificateAuthority> present = presentAuthority(files, now);
        CertificateAuthority authority =
                present.orElseGet(() -> CertificateAuthority.create(now, CertificateAuthority.DEFAULT_VALIDITY, use()));
        CertifiedKey issued = issue(authority, serverNames, now);
        if (present.isPresent()) {
            files.writePair(issued);
        } else {
            files.writeAll(authority, issued);
        }
        CertsShowText authorityText = new CertsShowText(authority.identity().certificate(), now);
        terminal.out().print("""
                %s%s, %s
                  subject   %s
                  expires   %s
                """.formatted(
                        present.isPresent() ? "used again  " : "made        ",
                        shown(files.authority()),
                        shown(files.authorityKey()),
                        authorityText.subject(),
                        authorityText.notAfter()));
        print(files, new CertsShowText(issued.certificate(), now));
        terminal.out().print(client ? forApiServer(files) : peers ? forReplicas(files) : forGateway(files));
    }

    private CertifiedKey issue(CertificateAuthority authority, ServerCertificateNames serverNames, Instant now) {
        Duration validity = Duration.ofDays(days);
        if (peers) {
            return authority.issueForPeers(now, validity);
        }
        return client
                ? authority.issueForClient(serverNames, now, validity)
                : authority.issue(serverNames, now, validity);
    }

    private Optional<CertificateAuthority> presentAuthority(CertsMakeFiles files, Instant now)
            throws UnusableFileException {
        if (CertsMakeFiles.existing(files.authority(), files.authorityKey()).isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(CertificateAuthority.read(files.authority(), files.authorityKey(), now));
        } catch (UnusableFileException e) {
            if (!force) {
                throw e;
            }
            terminal.err().println("replacing the authority: " + e.getMessage());
            return Optional.empty();
        }
    }

    private void print(CertsMakeFiles files, CertsShowText text) {
        terminal.out().print("""
                made        %s, %s
                  subject   %s
                  names     %s
                  expires   %s

                """.formatted(
                        shown(files.certificate()), shown(files.key()), text.subject(), text.names(), text.notAfter()));
    }

    private static String forApiServer(CertsMakeFiles files) {
        return """
                The authority for the gateway (tls.clientCa):
                  kubectl -n gpu-webhook create configmap gpu-webhook-client-ca --from-file=ca.crt=%s
                The kubeconfig for the API server; replace both paths by those of its machine:
                  apiVersion: v1
                  kind: Config
                  users:
                    - name: gpu-webhook.gpu-webhook.svc
                      user:
                        client-certificate: %s
                        client-key: %s
                """.formatted(quoted(files.authority()), inYaml(files.certificate()), inYaml(files.key()));
    }

    private static String forReplicas(CertsMakeFiles files) {
        return """
                The configuration of every replica:
                  peers:
                    certificate: %s
                    key: %s
                    authority: %s
                """.formatted(inYaml(files.certificate()), inYaml(files.key()), inYaml(files.authority()));
    }

    private static String forGateway(CertsMakeFiles files) {
        return """
                The Secret for the gateway:
                  kubectl -n gpu-webhook create secret tls gpu-webhook-certs --cert=%s --key=%s \
                --dry-run=client -o yaml | kubectl apply -f -
                The caBundle for the webhook configuration:
                  base64 < %s | tr -d '\\n'
                The configuration of a gateway run by hand:
                  tls:
                    certificate: %s
                    key: %s
                """.formatted(
                        quoted(files.certificate()),
                        quoted(files.key()),
                        quoted(files.authority()),
                        inYaml(files.certificate()),
                        inYaml(files.key()));
    }

    private static String quoted(Path path) {
        String text = path.toString();
        return ShellWord.of(text.startsWith("-") ? "./" + text : text).orElse("FILE");
    }

    /**
     * Returns the path without line breaks. It is printed among other lines, and a part of the path must not look like
     * a line of its own.
     */
    private static String shown(Path path) {
        return SafeText.line(path.toString());
    }

    private static String inYaml(Path path) {
        String text = path.toString();
        if (!SafeText.isSafe(text)) {
            return "FILE";
        }
        return PLAIN_WORD.matcher(text).matches() ? text : "'" + text.replace("'", "''") + "'";
    }

    private int fail(String message) {
        terminal.err().println(message);
        return ExitCode.WRONG_USE;
    }
}
