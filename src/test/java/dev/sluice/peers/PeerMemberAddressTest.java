package dev.sluice.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerMemberAddressTest {

    @Test
    void anIpv6AddressLosesItsBrackets() {
        assertThat(PeerMemberAddress.of("[fd00::2]:8444"))
                .isEqualTo(Optional.of(new PeerMemberAddress("fd00::2", 8444)));
        assertThat(PeerMemberAddress.of("10.0.0.2:8444"))
                .isEqualTo(Optional.of(new PeerMemberAddress("10.0.0.2", 8444)));
    }

    /** The text comes from the Lease, which accounts besides the replicas may edit. */
    @ParameterizedTest
    @ValueSource(strings = {"", "host", ":8444", "host:", "host:0", "host:65536", "host:-1", "host:https"})
    void whatIsNoAddressIsNotTakenForOne(String text) {
        assertThat(PeerMemberAddress.of(text)).isEmpty();
    }
}
