package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files whose bytes are no text, given to each command that reads files: one sentence names the file. */
class HostileBytesTest {

    private static final String LIST = "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": []}";

    @TempDir
    private Path directory;

    private Path cluster;
    private Path pod;

    /** The bytes that a file has in place of text. */
    enum Content {
        GZIP_OF_GZIP {
            @Override
            byte[] bytes() throws IOException {
                return gzip(gzip(LIST.getBytes(StandardCharsets.UTF_8)));
            }
        },
        MEMBERS_WITHOUT_TEXT {
            @Override
            byte[] bytes() throws IOException {
                byte[] member = gzip(new byte[0]);
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                for (int i = 0; i < 100_000; i++) {
                    all.write(member);
                }
                return all.toByteArray();
            }
        },
        ZIP {
            @Override
            byte[] bytes() throws IOException {
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                try (ZipOutputStream zip = new ZipOutputStream(all)) {
                    zip.putNextEntry(new ZipEntry("../cluster.json"));
                    zip.write(LIST.getBytes(StandardCharsets.UTF_8));
                }
                return all.toByteArray();
            }
        },
        RANDOM {
            @Override
            byte[] bytes() {
                byte[] all = new byte[10_000];
                new Random(7).nextBytes(all);
                return all;
            }
        },
        ZEROS {
            @Override
            byte[] bytes() {
                return new byte[10_000];
            }
        },
        /** The gzip of a text that has no end for a parser that looks for an object. */
        COMMENTS {
            @Override
            byte[] bytes() throws IOException {
                return gzip("# no object\n".repeat((40 << 20) / 12).getBytes(StandardCharsets.UTF_8));
            }
        },
        LINES {
            @Override
            byte[] bytes() throws IOException {
                return gzip("no object\n".repeat((40 << 20) / 10).getBytes(StandardCharsets.UTF_8));
            }
        };

        abstract byte[] bytes() throws IOException;

        private static byte[] gzip(byte[] text) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
                out.write(text);
            }
            return bytes.toByteArray();
        }
    }

    @BeforeEach
    void files() throws IOException {
        cluster = Files.writeString(
                directory.resolve("cluster.yaml"),
                "apiVersion: v1\nkind: Node\nmetadata: {name: n}\nstatus: {allocatable: {nvidia.com/gpu: 1}}\n");
        pod = Files.writeString(
                directory.resolve("pod.yaml"),
                "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c}]}}");
    }

    @ParameterizedTest
    @EnumSource
    void oneSentenceNamesTheFile(Content content) throws IOException {
        Path file = Files.write(directory.resolve(content + ".test.json"), content.bytes());

        assertNamed(file, 2, Cli.run("doctor", "--cluster-snapshot", file));
        assertNamed(file, 2, Cli.run("capacity", "--cluster-snapshot", file));
        assertNamed(file, 2, Cli.run("explain", pod, "--cluster-snapshot", file));
        assertNamed(file, 2, Cli.run("explain", file, "--cluster-snapshot", cluster));
        assertNamed(file, 2, Cli.run("replay", file, "--cluster-snapshot", cluster));
        assertNamed(file, 2, Cli.run("test", file));
        assertNamed(file, 1, Cli.run("check", "--config", file));
    }

    @Test
    void whatHoldsNoObjectIsNotReadToItsEnd() throws IOException {
        for (Content content : List.of(Content.COMMENTS, Content.LINES)) {
            Path file = Files.write(directory.resolve(content + ".gz"), content.bytes());

            assertThat(Cli.run("replay", file, "--cluster-snapshot", cluster).err())
                    .startsWith(file + ": 32 MiB of it hold no object that can be replayed; ");
        }
        Path file = directory.resolve(Content.COMMENTS + ".gz");
        for (String command : List.of("doctor", "capacity")) {
            assertThat(Cli.run(command, "--cluster-snapshot", file).err())
                    .startsWith(file + ": 32 MiB of it hold no object; ");
        }
    }

    private static void assertNamed(Path file, int code, Cli told) {
        assertThat(told.code()).as(told.err()).isEqualTo(code);
        assertThat(told.err() + told.out())
                .contains(file.toString())
                .doesNotContain("Exception", "nested")
                .hasLineCount(code == 1 ? told.out().split("\n").length : 1);
    }
}
