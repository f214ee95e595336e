package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.console.ConfigOption;
import dev.sluice.reload.ReloadedPolicySource.PolicyReading;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServePolicyFilesTest {

    @TempDir
    private Path directory;

    /** The start knew the defaults, to which an empty file is equal, but another policy is in use by now. */
    @Test
    void anEmptiedFileDoesNotBringBackTheDefaultsOfTheStart() throws Exception {
        Path file = Files.writeString(directory.resolve("gateway.yaml"), "policy: {}\n");
        ConfigOption option = new ConfigOption(file);
        ServePolicyFiles files = new ServePolicyFiles(option, option.require().config());

        Files.writeString(file, "policy: { whenNotOffered: deny }\n");
        assertThat(files.read()).isInstanceOf(PolicyReading.UsablePolicy.class);

        Files.writeString(file, "");
        assertThat(files.read())
                .isInstanceOfSatisfying(
                        PolicyReading.UnusablePolicy.class,
                        unusable -> assertThat(unusable.problems())
                                .singleElement()
                                .asString()
                                .endsWith("the file is empty, write policy: {} to go back to the defaults"));

        Files.writeString(file, "policy: {}\n");
        assertThat(files.read()).isInstanceOf(PolicyReading.UsablePolicy.class);
        Files.writeString(file, "");
        assertThat(files.read())
                .as("the defaults are in use, so the empty file changes nothing")
                .isInstanceOf(PolicyReading.UsablePolicy.class);
    }

    /** The other files have keys, so that the configuration as a whole is not empty. */
    @Test
    void anEmptiedFileOfADirectoryDoesNotTakeItsKeysAway() throws Exception {
        Path file = Files.writeString(directory.resolve("gateway.yaml"), "policy: { whenNotOffered: deny }\n");
        Files.writeString(directory.resolve("self-managed.yaml"), "tls: { mode: self-managed }\n");
        Path always = Files.writeString(directory.resolve("zz-always-empty.yaml"), "");
        ConfigOption option = new ConfigOption(directory);
        ServePolicyFiles files = new ServePolicyFiles(option, option.require().config());

        Files.writeString(file, "");
        assertThat(files.read())
                .isInstanceOfSatisfying(
                        PolicyReading.UnusablePolicy.class,
                        unusable -> assertThat(unusable.problems())
                                .containsExactly(
                                        file + ": the file is empty, write policy: {} to go back to the defaults"));

        Files.writeString(file, "policy: { whenNotOffered: keep }\n");
        assertThat(files.read()).isInstanceOf(PolicyReading.UsablePolicy.class);
        Files.delete(file);
        assertThat(files.files()).doesNotContain(file).contains(always);
        assertThat(files.read()).as("a removed file has no keys").isInstanceOf(PolicyReading.UsablePolicy.class);
    }
}
