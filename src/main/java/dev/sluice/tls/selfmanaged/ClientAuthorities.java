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

/** The authorities of callers, which come from a file in this mode, too. One thread uses it. */
final class ClientAuthorities {

    private static final Logger LOG = LoggerFactory.getLogger(ClientAuthorities.class);

    private final FileWatcher<List<X509Certificate>, UnusableFileException> watcher;
    private List<X509Certificate> known;
    /** Empty while the file can be used. */
    private String problem = "";

    /** Empty if callers show no certificates. Fails if there is a file that cannot be used. */
    static Optional<ClientAuthorities> of(Optional<Path> file, InstantSource clock) throws UnusableFileException {
        return file.isPresent() ? Optional.of(new ClientAuthorities(file.get(), clock)) : Optional.empty();
    }

    private ClientAuthorities(Path file, InstantSource clock) throws UnusableFileException {
        this.watcher = new FileWatcher<>(
                () -> List.of(file),
                () -> PemFile.read(file).clientAuthorities(clock.instant()),
                FileWatcher.SettlingRule.AS_ONE);
        this.known = watcher.first();
    }

    List<X509Certificate> known() {
        return known;
    }

    /** Reads the file if it has changed. While it cannot be used, what it held before is required on. Blocks. */
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
