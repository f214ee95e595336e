package dev.sluice.tls.selfmanaged;

import dev.sluice.files.FileWatcher;
import dev.sluice.files.FileWatcher.Poll;
import dev.sluice.tls.PemFile;
import dev.sluice.tls.PemFile.UnusableFileException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The authorities that may sign the certificates of the webhook's clients. They always come from a file, even if the
 * server certificate is self-managed. This class is not thread-safe.
 */
final class SelfManagedClientAuthorities {

    private static final Logger LOG = LoggerFactory.getLogger(SelfManagedClientAuthorities.class);

    private final FileWatcher<List<X509Certificate>, UnusableFileException> watcher;
    private List<X509Certificate> known;
    /** The reason why the file cannot be used. It is empty while the file can be used. */
    private String problem = "";

    /**
     * Reads the authorities from the file. Returns empty if no file is given, which means that clients need no
     * certificate. Throws an exception if the file cannot be used.
     */
    static Optional<SelfManagedClientAuthorities> of(Optional<Path> file, InstantSource clock)
            throws UnusableFileException {
        return file.isPresent() ? Optional.of(new SelfManagedClientAuthorities(file.get(), clock)) : Optional.empty();
    }

    private SelfManagedClientAuthorities(Path file, InstantSource clock) throws UnusableFileException {
        this.watcher = new FileWatcher<>(
                () -> List.of(file),
                () -> PemFile.read(file).clientAuthorities(clock.instant()),
                FileWatcher.SettlingRule.AS_ONE);
        this.known = watcher.first();
    }

    List<X509Certificate> known() {
        return known;
    }

    /**
     * Returns the authorities. Reads the file again if it has changed. While the file cannot be used, its last valid
     * content stays in use. Blocks.
     */
    List<X509Certificate> newest() {
        try {
            if (watcher.poll() instanceof Poll.Changed<List<X509Certificate>>(var changed)) {
                known = changed;
                problem = "";
            }
        } catch (UnusableFileException refused) {
            tell(String.valueOf(refused.getMessage()));
        }
        return known;
    }

    private void tell(String found) {
        if (!found.equals(problem)) {
            problem = found;
            LOG.warn("tls.clientCa: {}; callers are still checked by the former authorities", found);
        }
    }
}
