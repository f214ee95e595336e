package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.demo.DemoCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class SluiceCommandTest {

    @Command(name = "fails")
    private static final class Fails implements Runnable {
        private final Runnable fault;

        Fails(Runnable fault) {
            this.fault = fault;
        }

        @Override
        public void run() {
            fault.run();
        }
    }

    /** As with kubectl: {@code kubectl gpu -n team doctor}. */
    @ParameterizedTest
    @CsvSource({
        "-n team doctor                          , doctor -n team",
        "--namespace=team --context far doctor x , doctor x --namespace=team --context far",
        "--kubeconfig f certs show -- --x        , certs show --kubeconfig f -- --x",
        "doctor -n team                          , doctor -n team",
        "-n team                                 , -n team",
        "-n                                      , -n",
        "--help -n team doctor                   , --help -n team doctor"
    })
    void optionsOfKubectlMayComeBeforeTheCommand(String typed, String understood) {
        assertThat(SluiceCommand.subcommandFirst(typed.split(" "))).containsExactly(understood.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"explain", "test", "replay", "capacity", "check", "certs", "completion", "version"})
    void everyCommandTeachesByExample(String command) {
        Cli help = Cli.run(command, "--help");

        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("Examples:\n  ").contains("sluice " + command);
        assertThat(help.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    /** An example that is broken in two can neither be read nor copied. */
    @ParameterizedTest
    @MethodSource("allCommands")
    void noExampleIsWrapped(CommandLine command) {
        assertThat(command.getUsageMessage().lines())
                .containsAll(
                        Arrays.stream(command.getCommandSpec().usageMessage().footer())
                                .filter(line -> line.startsWith(" "))
                                .toList());
    }

    @ParameterizedTest
    @MethodSource("allCommands")
    void aBlankLineEndsTheDescription(CommandLine command) {
        assertThat(command.getCommandSpec().usageMessage().description()).endsWith("");
    }

    /** The one that completes words is for shells and has no help. */
    static Stream<CommandLine> allCommands() {
        return withSubcommands(SluiceCommand.with(new DemoCommand(Map.of()), new ServeCommand()))
                .filter(command -> !command.getCommandSpec().usageMessage().hidden());
    }

    private static Stream<CommandLine> withSubcommands(CommandLine command) {
        return Stream.concat(
                Stream.of(command),
                command.getSubcommands().values().stream().flatMap(SluiceCommandTest::withSubcommands));
    }

    @Test
    void listsTheCommandsWhenNoneIsGiven() {
        Cli run = Cli.run();

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("Usage: sluice").contains("explain").contains("capacity");
    }

    @Test
    void suggestsWhatMayHaveBeenMeant() {
        Cli option = Cli.run("explain", "-f", "pod.yaml", "--cluster-snapshto", "x");
        Cli command = Cli.run("explian");

        assertThat(option.code()).isEqualTo(2);
        assertThat(option.err())
                .contains("sluice explain: Unknown option: '--cluster-snapshto'")
                .contains("--cluster-snapshot")
                .endsWith("See sluice explain --help.\n");
        assertThat(command.code()).isEqualTo(2);
        assertThat(command.err()).contains("Did you mean: sluice explain");
    }

    @Test
    void saysWhichFormatsThereAre() {
        Cli run = Cli.run("explain", "-f", "pod.yaml", "-o", "xml");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("[text, json, patch]").contains("'xml'").doesNotContain("\tat ");
    }

    @Test
    void everyCommandTellsTheVersion() {
        assertThat(Cli.run("--version").out()).startsWith("sluice ");
        assertThat(Cli.run("explain", "--version").out()).startsWith("sluice ");
        assertThat(Cli.run("version")).isEqualTo(Cli.run("--version"));
    }

    /** Only what lists or completes the others needs them. */
    @Test
    void aCommandByItselfIsTheSameOne() {
        Map<String, CommandLine> all = SluiceCommand.with().getSubcommands();

        assertThat(all.keySet().stream().filter(name -> SluiceCommand.only(name).isEmpty()))
                .containsExactlyInAnyOrder("completion", "__complete");
        all.forEach((name, command) -> SluiceCommand.only(name)
                .ifPresent(alone -> assertThat(alone.getSubcommands())
                        .extractingByKey(name)
                        .extracting(CommandLine::getUsageMessage)
                        .isEqualTo(command.getUsageMessage())));
    }

    @Test
    void aFaultOfOursIsOneLineWithItsPlace() {
        String err = errorOf(() -> {
            throw new IllegalStateException("a bug\nof ours");
        });

        assertThat(err)
                .startsWith("sluice fails failed because of an internal error: java.lang.IllegalStateException: a bug")
                .contains(", at dev.sluice.")
                .hasLineCount(1);
    }

    @Test
    void anErrorOfTheVirtualMachineIsOneLine() {
        assertThat(errorOf(() -> {
                    throw new OutOfMemoryError("Java heap space");
                }))
                .startsWith("sluice fails needs more memory than its heap of ")
                .contains("SLUICE_JAVA_OPTS=-Xmx")
                .hasLineCount(1);
        assertThat(errorOf(() -> {
                    throw new StackOverflowError();
                }))
                .startsWith("sluice fails cannot read something that is nested too deeply")
                .hasLineCount(1);
        assertThat(errorOf(() -> {
                    throw new AssertionError("never");
                }))
                .startsWith("sluice fails failed because of an internal error: java.lang.AssertionError: never, at ")
                .hasLineCount(1);
    }

    private static String errorOf(Runnable fault) {
        var err = new StringWriter();
        int code = SluiceCommand.with(new Fails(fault))
                .setErr(new PrintWriter(err))
                .execute("fails");

        assertThat(code).isEqualTo(2);
        return err.toString();
    }
}
