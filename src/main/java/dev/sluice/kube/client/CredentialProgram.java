package dev.sluice.kube.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cluster.SourceProblem;
import java.io.File;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The program that gives a user credentials. Without it fabric8 goes on as a user without any, and the API server's
 * refusal then names another culprit.
 */
final class CredentialProgram {

    private static final String PATH = "PATH";

    /** With any of these fabric8 needs no program, or runs none. */
    private static final List<String> OTHER_CREDENTIALS =
            List.of("token", "tokenFile", "client-certificate", "client-certificate-data", "username", "auth-provider");

    /** fabric8 hands the command to a shell, which may take other letters for something else than a file's name. */
    private static final Pattern FILE = Pattern.compile("[\\w./+-]+");

    private CredentialProgram() {}

    static void require(KubeconfigFile.NamedEntry user) throws SourceProblem {
        JsonNode exec = user.value().path("exec");
        String command = KubeconfigFile.text(exec, "command");
        if (OTHER_CREDENTIALS.stream().anyMatch(user.value()::hasNonNull)
                || !FILE.matcher(command).matches()
                || places(command, user.file().toFile(), exec).anyMatch(CredentialProgram::runs)) {
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

    /**
     * A path is relative to the kubeconfig. fabric8 looks for a word in its own PATH, the shell in that of the entry.
     */
    private static Stream<File> places(String command, File kubeconfig, JsonNode exec) {
        if (command.startsWith(File.separator)) {
            return Stream.of(new File(command));
        }
        return command.contains(File.separator)
                ? Stream.of(new File(kubeconfig.getAbsoluteFile().getParentFile(), command))
                : Stream.concat(Optional.ofNullable(System.getenv(PATH)).stream(), paths(exec))
                        .flatMap(path -> Stream.of(path.split(File.pathSeparator)))
                        .map(directory -> new File(directory.isEmpty() ? "." : directory, command));
    }

    private static Stream<String> paths(JsonNode exec) {
        return exec.path("env")
                .valueStream()
                .filter(variable -> KubeconfigFile.text(variable, "name").equals(PATH))
                .map(variable -> KubeconfigFile.text(variable, "value"));
    }

    private static boolean runs(File program) {
        return program.isFile() && program.canExecute();
    }
}
