package dev.sluice.cli.certs;

import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.Terminal;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.PemFile;
import dev.sluice.tls.PemFile.UnusableFileException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows the certificates in files, and whether the key beside each file belongs to it. */
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
            "  kubectl -n gpu-webhook get secret gpu-webhook-certs -o jsonpath='{.data.tls\\.crt}' \\",
            "    | base64 -d > served.crt && sluice certs show served.crt",
            "",
            "Exit codes: 0 all is well; 1 a certificate has expired or cannot be used with the",
            "key beside it; 2 a file cannot be read."
        })
final class CertsShowCommand implements Callable<Integer> {

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "PEM files with certificates.")
    @SuppressWarnings("FieldCanBeFinal") // picocli sets it before call()
    private List<Path> files = List.of();

    @Mixin
    private final Terminal terminal = new Terminal();

    /** Returns the exit code of the worst file, which is the largest. */
    @Override
    public Integer call() {
        Instant now = Instant.now();
        return files.stream().mapToInt(file -> show(file, now)).max().orElse(ExitCode.WRONG_USE);
    }

    private int show(Path path, Instant now) {
        try {
            PemFile file = PemFile.read(path);
            List<X509Certificate> certificates = file.certificates();
            int worst = ExitCode.DONE;
            for (int i = 0; i < certificates.size(); i++) {
                X509Certificate certificate = certificates.get(i);
                terminal.out().println(path + ", certificate " + (i + 1) + " of " + certificates.size());
                worst = Math.max(worst, print(new CertificateText(certificate, now)));
            }
            return Math.max(worst, showKeyBeside(file));
        } catch (UnusableFileException e) {
            terminal.err().println(e.getMessage());
            return ExitCode.WRONG_USE;
        }
    }

    private int print(CertificateText text) {
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

    /** The file with the same name and the ending {@code .key}. */
    private static Optional<Path> keyBeside(Path certificate) {
        String name = String.valueOf(certificate.getFileName());
        int dot = name.lastIndexOf('.');
        Path key = certificate.resolveSibling((dot > 0 ? name.substring(0, dot) : name) + ".key");
        return key.equals(certificate) || !Files.isRegularFile(key) ? Optional.empty() : Optional.of(key);
    }
}
