package dev.sluice.management;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.zip.GZIPOutputStream;

/**
 * The files of the console in the form in which they are sent. All files except the page are in a directory whose name
 * is the digest of these files. If a file changes, the directory gets another name. Browsers may therefore keep the
 * files forever, and a page never gets the scripts of another version.
 *
 * @param digest the name of the directory
 * @param page the page, whose links contain the name of the directory
 * @param files the files in the directory, by their path
 */
record ManagementConsoleFiles(String digest, ConsoleFile page, Map<String, ConsoleFile> files) {

    private static final String OWN = "console/";

    private static final String PAGE = "index.html";

    /** The placeholder for the digest in the source of the page. */
    private static final String DIGEST_IN_PAGE = "$DIGEST";

    private static final int DIGEST_LENGTH = 16;

    /** The files that are a part of Sluice. */
    static final List<String> OWN_FILES = List.of(
            "console.css",
            "icon.svg",
            "main.js",
            "store.js",
            "address.js",
            "text.js",
            "api.js",
            "live.js",
            "parts.js",
            "fleet-model.js",
            "fleet.js",
            "decisions.js",
            "capacity.js",
            "flow.js",
            "what-if.js",
            "waiting.js",
            "health.js");

    /**
     * The files of libraries. The key is the path on the management port, and the value is the path in the jar of the
     * library.
     */
    private static final Map<String, String> LIBRARIES = Map.of(
            "lib/preact.js", "/META-INF/resources/_static/htm/3.1.1/preact/standalone.module.js",
            "lib/uplot.js", "/META-INF/resources/webjars/uplot/1.6.30/dist/uPlot.esm.js",
            "lib/uplot.css", "/META-INF/resources/webjars/uplot/1.6.30/dist/uPlot.min.css",
            "lib/yaml.js", "/META-INF/resources/webjars/js-yaml/4.1.1/dist/js-yaml.mjs");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    /**
     * One file.
     *
     * @param bytes the content
     * @param gzip the content, compressed once for all clients
     */
    record ConsoleFile(String contentType, Buffer bytes, Buffer gzip) {

        private static ConsoleFile of(String name, byte[] bytes) throws IOException {
            ByteArrayOutputStream compressed = new ByteArrayOutputStream(bytes.length / 2);
            try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
                gzip.write(bytes);
            }
            String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
            return new ConsoleFile(type, Buffer.buffer(bytes), Buffer.buffer(compressed.toByteArray()));
        }
    }

    /** Reads all files. It takes tens of milliseconds, so it must not run on an event loop. */
    static ManagementConsoleFiles load() {
        try {
            SequencedMap<String, String> paths = new LinkedHashMap<>();
            OWN_FILES.forEach(name -> paths.put(name, OWN + name));
            LIBRARIES.keySet().stream().sorted().forEach(name -> paths.put(name, LIBRARIES.get(name)));
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            Map<String, ConsoleFile> files = new HashMap<>();
            for (Map.Entry<String, String> path : paths.entrySet()) {
                byte[] bytes = read(path.getValue());
                digest.update(path.getKey().getBytes(UTF_8));
                digest.update(bytes);
                files.put(path.getKey(), ConsoleFile.of(path.getKey(), bytes));
            }
            byte[] template = read(OWN + PAGE);
            digest.update(template);
            String directory = HexFormat.of().formatHex(digest.digest()).substring(0, DIGEST_LENGTH);
            String page = new String(template, UTF_8).replace(DIGEST_IN_PAGE, directory);
            return new ManagementConsoleFiles(directory, ConsoleFile.of(PAGE, page.getBytes(UTF_8)), Map.copyOf(files));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static byte[] read(String path) throws IOException {
        try (InputStream in = ManagementConsoleFiles.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IOException("the file " + path + " of the console is missing");
            }
            return in.readAllBytes();
        }
    }
}
