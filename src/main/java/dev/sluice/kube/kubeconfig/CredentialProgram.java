package dev.sluice.kube.kubeconfig;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cluster.event.SourceProblem;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The program that gives a user credentials. Without it fabric8 goes on as a user without any, and the API server's
 * refusal then names another culprit.
 */
final class CredentialProgram {

    private static final String PATH = "PATH";

    private CredentialProgram() {}

    static void require(KubeconfigFile.NamedEntry user) throws SourceProblem {
        JsonNode exec = user.value().path("exec");
        String command = KubeconfigFile.text(exec, "command");
        if (command.isEmpty() || places(command, user.file(), exec).anyMatch(CredentialProgram::runs)) {
            return;
        }
        String fault = command.contains(File.separator)
                ? ", which does not exist or may not be run by this user; "
                : ", which is in no directory of PATH; ";
        String hint = KubeconfigFile.text(exec, "installHint").strip().replaceAll("\\s+", " ");
        throw new SourceProblem(user.file() + ": the user '" + user.name() + "' gets its credentials from the program "
                + command + fault
                + (hint.isEmpty() ? "install it, or take another user for the context" : hint));
    }

    /** As kubectl looks for it: a path is relative to the kubeconfig, a word is looked for in PATH. */
    private static Stream<Path> places(String command, Path kubeconfig, JsonNode exec) {
        return command.contains(File.separator)
                ? Stream.of(kubeconfig.toAbsolutePath().resolveSibling(command))
                : Stream.of(path(exec).split(File.pathSeparator)).map(directory -> Path.of(directory, command));
    }

    /** The entry may set another PATH for the program. */
    private static String path(JsonNode exec) {
        return exec.path("env")
                .valueStream()
                .filter(variable -> KubeconfigFile.text(variable, "name").equals(PATH))
                .map(variable -> KubeconfigFile.text(variable, "value"))
                .findFirst()
                .or(() -> Optional.ofNullable(System.getenv(PATH)))
                .orElse("");
    }

    private static boolean runs(Path program) {
        return Files.isRegularFile(program) && Files.isExecutable(program);
    }
}
