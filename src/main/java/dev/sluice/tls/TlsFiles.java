package dev.sluice.tls;

import java.nio.file.Path;
import java.util.Optional;

/** The PEM files of a server; {@code clientCa} is present if clients must show a certificate. */
public record TlsFiles(Path certificate, Path key, Optional<Path> clientCa) {}
