package dev.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileWatcherTest {

    private static final String READ = "what the files say";

    @TempDir
    private Path directory;

    private final List<Path> files = new ArrayList<>();
    private final List<Runnable> whileReading = new ArrayList<>();
    private int readings;

    private final FileWatcher<String, RuntimeException> watcher =
            new FileWatcher<>(() -> List.copyOf(files), this::read, FileWatcher.SettlingRule.AS_ONE);

    private String read() {
        readings++;
        List<Runnable> now = List.copyOf(whileReading);
        whileReading.clear();
        now.forEach(Runnable::run);
        return READ;
    }

    private Optional<String> poll() {
        return watcher.poll() instanceof FileWatcher.Poll.Changed<String>(String contents)
                ? Optional.of(contents)
                : Optional.empty();
    }

    @BeforeEach
    void writeBoth() {
        files.add(write("gateway.yaml", "a"));
        files.add(write("rules.json", "a"));
        assertThat(poll()).as("not settled yet").isEmpty();
        assertThat(poll()).as("what may have changed since the start").contains(READ);
    }

    @CanIgnoreReturnValue
    private Path write(String name, String text) {
        try {
            return Files.writeString(directory.resolve(name), text);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void readsOnceWhateverFileHasChanged() {
        assertThat(poll()).isEmpty();
        write("rules.json", "other");
        assertThat(poll()).isEmpty();
        assertThat(poll()).contains(READ);
        assertThat(poll()).isEmpty();
        assertThat(readings).isEqualTo(2);
    }

    @Test
    void filesThatDoNotChangeAreLookedAtHalfAsOften() {
        Duration interval = Duration.ofMillis(500);
        assertThat(watcher.pause(interval)).isEqualTo(Duration.ofSeconds(1));
        write("rules.json", "other");
        assertThat(poll()).isEmpty();
        assertThat(watcher.pause(interval)).as("a change is not complete").isEqualTo(interval);
        assertThat(poll()).contains(READ);
        assertThat(watcher.pause(interval)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void waitsForFilesThatChangeAtEveryPoll() {
        for (int i = 0; i < 10; i++) {
            write("gateway.yaml", "x".repeat(i + 2));
            assertThat(poll()).isEmpty();
        }
        assertThat(poll()).contains(READ);
        assertThat(readings).isEqualTo(2);
    }

    @Test
    void aReadingDuringWhichAFileChangedIsNone() {
        write("gateway.yaml", "new");
        whileReading.add(() -> write("rules.json", "newer"));

        assertThat(poll()).isEmpty();
        assertThat(poll()).as("the two are of different moments").isEmpty();
        assertThat(poll()).isEmpty();
        assertThat(poll()).contains(READ);
        assertThat(readings).isEqualTo(3);
    }

    /** A file that a directory gets during a reading is perhaps not part of what was read. */
    @Test
    void readsAgainIfThereAreOtherFilesAfterAReading() {
        write("gateway.yaml", "new");
        whileReading.add(() -> files.add(write("self-managed.yaml", "another")));
        assertThat(poll()).isEmpty();
        assertThat(poll()).contains(READ);

        assertThat(poll()).isEmpty();
        assertThat(poll()).contains(READ);
        assertThat(poll()).isEmpty();
    }

    @Test
    void followsTheFilesThatAReadingNames() {
        Path other = write("other.json", "a");
        write("gateway.yaml", "names other.json");
        whileReading.add(() -> files.set(1, other));
        assertThat(poll()).isEmpty();
        assertThat(poll()).contains(READ);
        assertThat(poll()).isEmpty();
        assertThat(poll()).as("the new file may have changed since it was read").contains(READ);
        assertThat(poll()).isEmpty();

        write("rules.json", "nobody looks at this one now");
        assertThat(poll()).isEmpty();
        write("other.json", "changed");
        assertThat(poll()).isEmpty();
        assertThat(poll()).contains(READ);
    }
}
