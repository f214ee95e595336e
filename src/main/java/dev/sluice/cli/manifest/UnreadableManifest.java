package dev.sluice.cli.manifest;

import java.io.Serial;

/** A file cannot be read as manifests. The message names the file and says why, in one line. */
public final class UnreadableManifest extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    public UnreadableManifest(String source, String problem) {
        super(source + problem);
    }

    public UnreadableManifest(String source, String problem, Throwable cause) {
        super(source + problem, cause);
    }
}
