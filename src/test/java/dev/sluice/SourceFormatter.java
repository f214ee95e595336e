package dev.sluice;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.ImportOrderer;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * How every source file is formatted. As a program it rewrites the files below the given directories; it runs on the
 * selected JDK whatever JVM Maven itself runs on.
 */
final class SourceFormatter {

    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .formatJavadoc(true)
            .build());

    private SourceFormatter() {}

    static String format(String source) throws FormatterException {
        String imports = ImportOrderer.reorderImports(
                RemoveUnusedImports.removeUnusedImports(source), JavaFormatterOptions.Style.PALANTIR);
        return FORMATTER.formatSource(imports);
    }

    static List<Path> sourcesBelow(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }

    public static void main(String[] directories) throws IOException, FormatterException {
        for (String directory : directories) {
            for (Path file : sourcesBelow(Path.of(directory))) {
                String before = Files.readString(file);
                String after = format(before);
                if (!after.equals(before)) {
                    Files.writeString(file, after);
                    System.out.println("formatted " + file);
                }
            }
        }
    }
}
