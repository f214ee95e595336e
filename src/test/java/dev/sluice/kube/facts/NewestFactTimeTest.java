package dev.sluice.kube.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class NewestFactTimeTest {

    private static final String NOON = "2026-11-20T12:00:00Z";
    private static final String LATER = "2026-11-20T12:00:30Z";
    private static final String NEVER = "9999-12-31T23:59:59Z";

    private final NewestFactTime newest = new NewestFactTime();

    private void namespace(String name, String time) {
        newest.see(new FactTimeText(time));
        newest.endOfObject(name);
    }

    private void node(String name, String time) {
        newest.see(new FactTimeText(time));
        newest.endOfNode(name);
    }

    @Test
    void oneNamespaceCannotMoveTheTimeOfOthers() {
        node("n1", NOON);
        namespace("good", LATER);
        namespace("evil", "2026-11-20T12:00:10Z");
        Instant before = newest.instant();

        namespace("evil", NEVER);

        assertThat(before).isEqualTo("2026-11-20T12:00:10Z");
        assertThat(newest.instant()).isEqualTo(LATER);
    }

    @Test
    void theTimesOfOneNamespaceAndNodesNeedNotAgree() {
        node("n1", NOON);
        namespace("ml", LATER);

        assertThat(newest.instant()).isEqualTo(LATER);
    }

    @Test
    void aKubeletThatLiesMovesNothingEither() {
        node("n1", NOON);
        namespace("a", NOON);
        namespace("b", NOON);

        node("liar", NEVER);

        assertThat(newest.instant()).isEqualTo(NOON);
    }

    @Test
    void severalNamespacesCannotMoveTheTimeBeyondTheHeartbeatsOfNodes() {
        newest.seeHeartbeat(new FactTimeText(NOON));
        newest.endOfNode("n1");
        namespace("good", LATER);

        for (String late : List.of("2026-11-20T12:06:01Z", NEVER)) {
            namespace("evil", late);
            namespace("evil2", late);

            assertThat(newest.instant()).isEqualTo(NOON);
        }
    }

    @Test
    void severalNamespacesCannotMoveTheTimeBeyondTheLeasesOfNodes() {
        newest.see(new FactTimeText(NOON));
        newest.endOfNodeLease("n1");
        namespace("evil", "2026-11-20T12:02:01Z");
        namespace("evil2", "2026-11-20T12:02:01Z");

        assertThat(newest.instant()).isEqualTo(NOON);
    }

    /** A Node without heartbeats can be as old as its creation. */
    @Test
    void nodesWithoutHeartbeatsLimitNothing() {
        node("n1", "2026-01-01T00:00:00Z");
        namespace("a", NOON);
        namespace("b", LATER);

        assertThat(newest.instant()).isEqualTo(NOON);
    }

    @Test
    void heartbeatsOfAnotherFileLimitTheTimeToo() {
        NewestFactTime nodes = new NewestFactTime();
        nodes.seeHeartbeat(new FactTimeText(NOON));
        nodes.endOfNode("n1");
        namespace("evil", NEVER);
        namespace("evil2", NEVER);

        newest.seeAll(nodes);

        assertThat(newest.instant()).isEqualTo(NOON);
    }

    @Test
    void filesOfOneClusterAgreeTogether() {
        NewestFactTime other = new NewestFactTime();
        namespace("evil", NEVER);
        other.see(new FactTimeText(NOON));
        other.endOfObject("good");
        other.see(new FactTimeText(NOON));
        other.endOfNode("n1");

        newest.seeAll(other);

        assertThat(newest.instant()).isEqualTo(NOON);
    }
}
