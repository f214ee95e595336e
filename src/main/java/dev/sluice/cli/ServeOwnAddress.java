package dev.sluice.cli;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Finds the address at which other machines can probably reach this machine. */
final class ServeOwnAddress {

    private static final String LOOPBACK = "127.0.0.1";

    private ServeOwnAddress() {}

    /**
     * Returns an address of this machine that is neither a loopback nor a link-local address. An IPv4 address is
     * preferred. Among addresses of the same kind, the one of the interface with the lowest index is chosen, because
     * bridges for containers are created later and have higher indexes. Returns the loopback address if there is no
     * such address.
     */
    static String find() {
        try (Stream<NetworkInterface> interfaces = NetworkInterface.networkInterfaces()) {
            return best(interfaces
                    .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                    .flatMap(NetworkInterface::inetAddresses)
                    .toList());
        } catch (SocketException unknown) {
            return LOOPBACK;
        }
    }

    static String best(List<InetAddress> addresses) {
        return addresses.stream()
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .min(Comparator.comparing(address -> !(address instanceof Inet4Address)))
                .map(InetAddress::getHostAddress)
                .map(ServeOwnAddress::withoutZone)
                .orElse(LOOPBACK);
    }

    /** Returns an IPv6 address without the name of its interface, which other machines do not know. */
    private static String withoutZone(String address) {
        int zone = address.indexOf('%');
        return zone < 0 ? address : address.substring(0, zone);
    }
}
