package dev.sluice.tls;

import java.nio.file.Path;
import java.util.Optional;

/** Where a server's certificate and key lie and, where clients must show a certificate, the authorities for those. */
public record TlsFiles(Path certificate, Path key, Optional<Path> clientCa) {}
