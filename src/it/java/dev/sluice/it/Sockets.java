package dev.sluice.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Whom a process is connected to, as the kernel has it. */
final class Sockets {

    /** In /proc/net: connections that are up, and ports that wait for some. */
    private static final String ESTABLISHED = "01";

    private static final String LISTENING = "0A";

    /** The other end of a connection; the address in the kernel's own notation. */
    record Peer(String address, int port) {
        boolean isLoopback() {
            return address.endsWith("0100007F");
        }
    }

    private record Line(String localPort, Peer peer, String state, String inode) {

        /** {@code sl local_address rem_address st … inode}. */
        static Line parse(String line) {
            String[] parts = line.strip().split("\\s+", -1);
            String[] remote = parts[2].split(":", -1);
            return new Line(
                    parts[1].split(":", -1)[1],
                    new Peer(remote[0], Integer.parseInt(remote[1], 16)),
                    parts[3],
                    parts[9]);
        }
    }

    private Sockets() {}

    /** The other ends of connections that the process began itself. */
    static List<Peer> outgoing(long pid) throws IOException {
        Set<String> inodes = inodes(pid);
        List<Line> own = Stream.concat(lines("tcp"), lines("tcp6"))
                .filter(line -> inodes.contains(line.inode))
                .toList();
        List<String> served = own.stream()
                .filter(line -> line.state.equals(LISTENING))
                .map(Line::localPort)
                .toList();
        return own.stream()
                .filter(line -> line.state.equals(ESTABLISHED) && !served.contains(line.localPort))
                .map(Line::peer)
                .toList();
    }

    private static Stream<Line> lines(String protocol) throws IOException {
        return Files.readAllLines(Path.of("/proc/net", protocol)).stream()
                .skip(1)
                .map(Line::parse);
    }

    private static Set<String> inodes(long pid) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path descriptor : open.toList()) {
                if (Files.isSymbolicLink(descriptor)) {
                    inodes.add(Files.readSymbolicLink(descriptor).toString().replaceAll("\\D", ""));
                }
            }
        }
        return inodes;
    }
}
