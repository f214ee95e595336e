package dev.sluice.kube.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cluster.ClusterStateException;
import java.io.File;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks that the credential program of a kubeconfig user ({@code exec}) exists. Without the program, fabric8 would
 * send requests without credentials, and the API server's error would not mention the program.
 */
final class CredentialProgram {

    private static final String PATH = "PATH";

    /**
     * The keys of a user that contain other credentials. If one of them is present, fabric8 does not run the program.
     */
    private static final List<String> OTHER_CREDENTIALS =
            List.of("token", "tokenFile", "client-certificate", "client-certificate-data", "username", "auth-provider");

    /**
     * Matches a command that is certainly a file name. Fabric8 passes the command to a shell, in which other characters
     * may have a special meaning. A command with such characters is not checked.
     */
    private static final Pattern FILE = Pattern.compile("[\\w./+-]+");

    private CredentialProgram() {}

    static void require(KubeconfigFile.NamedEntry user) throws ClusterStateException {
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
        throw new ClusterStateException(
                user.file() + ": the user '" + user.name() + "' gets its credentials from the program "
                        + command + fault
                        + (hint.isEmpty() ? "install it, or take another user for the context" : hint));
    }

    /**
     * Returns the files that the shell may run for the command. A path is relative to the directory of the kubeconfig.
     * A name without a directory is searched in two values of PATH: the value of this process, and the value that the
     * {@code exec} section of the kubeconfig sets.
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
