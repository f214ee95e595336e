package dev.sluice.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.injection.Injector;
import dev.sluice.policy.Policies;
import dev.sluice.policyfile.PolicySource.PolicyReading;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyPollTest {

    private static final PolicyReading READ =
            new PolicyReading.UsablePolicy(Policies.DEFAULT, Injector.NONE, List.of());

    @TempDir
    private Path directory;

    private final List<Path> files = new ArrayList<>();
    private final List<Runnable> whileReading = new ArrayList<>();
    private int readings;

    private final PolicyPoll poll = new PolicyPoll(new PolicySource() {
        @Override
        public List<Path> files() {
            return List.copyOf(files);
        }

        @Override
        public PolicyReading read() {
            readings++;
            List<Runnable> now = List.copyOf(whileReading);
            whileReading.clear();
            now.forEach(Runnable::run);
            return READ;
        }
    });

    @BeforeEach
    void writeBoth() {
        files.add(write("gateway.yaml", "a"));
        files.add(write("rules.json", "a"));
        assertThat(poll.look()).as("not settled yet").isEmpty();
        assertThat(poll.look()).as("what may have changed since the start").contains(READ);
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
        assertThat(poll.look()).isEmpty();
        write("rules.json", "other");
        assertThat(poll.look()).isEmpty();
        assertThat(poll.look()).contains(READ);
        assertThat(poll.look()).isEmpty();
        assertThat(readings).isEqualTo(2);
    }

    @Test
    void waitsForFilesThatChangeAtEveryLook() {
        for (int i = 0; i < 10; i++) {
            write("gateway.yaml", "x".repeat(i + 2));
            assertThat(poll.look()).isEmpty();
        }
        assertThat(poll.look()).contains(READ);
        assertThat(readings).isEqualTo(2);
    }

    @Test
    void aReadingDuringWhichAFileChangedIsNone() {
        write("gateway.yaml", "new");
        whileReading.add(() -> write("rules.json", "newer"));

        assertThat(poll.look()).isEmpty();
        assertThat(poll.look()).as("the two are of different moments").isEmpty();
        assertThat(poll.look()).isEmpty();
        assertThat(poll.look()).contains(READ);
        assertThat(readings).isEqualTo(3);
    }

    @Test
    void followsTheFilesThatAReadingNames() {
        Path other = write("other.json", "a");
        write("gateway.yaml", "names other.json");
        whileReading.add(() -> files.set(1, other));
        assertThat(poll.look()).isEmpty();
        assertThat(poll.look()).contains(READ);
        assertThat(poll.look()).isEmpty();

        write("rules.json", "nobody looks at this one now");
        assertThat(poll.look()).isEmpty();
        write("other.json", "changed");
        assertThat(poll.look()).isEmpty();
        assertThat(poll.look()).contains(READ);
    }
}
