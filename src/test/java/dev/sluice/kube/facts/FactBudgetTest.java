package dev.sluice.kube.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.kube.facts.FactBudget.FactShare;
import dev.sluice.kube.facts.FactBudget.LeftOutShare;
import dev.sluice.kube.facts.FactBudget.Room;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FactBudgetTest {

    private static final FactShare EVIL = new FactShare(ClusterFactKind.EVENTS, "evil");
    private static final FactShare GOOD = new FactShare(ClusterFactKind.PODS, "good");

    private final List<FactShare> dropped = new ArrayList<>();

    private FactBudget budget(long most) {
        FactBudget budget = new FactBudget(most);
        budget.add(share -> {
            dropped.add(share);
            return 0;
        });
        return budget;
    }

    @Test
    void theHeaviestNamespaceAndKindIsLeftOutAndTheOthersStay() {
        FactBudget budget = budget(10_000);
        assertThat(budget.take(GOOD, 2_000, 0)).isEqualTo(Room.ALL);
        for (int i = 0; i < 6; i++) {
            assertThat(budget.take(EVIL, 1_000, 0)).isEqualTo(Room.ALL);
        }

        assertThat(budget.take(GOOD, 2_000, 0)).isEqualTo(Room.ALL);

        assertThat(dropped).containsExactly(EVIL);
        assertThat(budget.take(EVIL, 1_000, 0)).isEqualTo(Room.NOTHING);
        assertThat(budget.leftOut()).containsExactly(new LeftOutShare(EVIL, 7));
    }

    @Test
    void kindsOfOneTenantCountTogether() {
        FactBudget budget = budget(10_000);
        long kept = 0;
        for (ClusterFactKind kind : ClusterFactKind.values()) {
            kept += budget.take(new FactShare(kind, "evil"), 3_000, 0) == Room.ALL ? 3_000 : 0;
        }

        assertThat(kept - 3_000L * dropped.size()).isLessThanOrEqualTo(10_000);
        assertThat(budget.leftOut()).isNotEmpty();
    }

    @Test
    void tenantsCannotDisplaceTheObjectsOfTheWholeCluster() {
        FactBudget budget = budget(1_000_000);
        FactShare nodes = new FactShare(ClusterFactKind.NODES, "");
        for (int i = 0; i < 2_000; i++) {
            var _ = budget.take(new FactShare(ClusterFactKind.PODS, "n" + i), 600, 0);
        }

        assertThat(budget.take(nodes, 300_000, 0)).isEqualTo(Room.ALL);
        assertThat(budget.take(EVIL, 600_000, 0)).isEqualTo(Room.NOTHING);
        assertThat(dropped).doesNotContain(nodes);
    }

    @Test
    void ofAnObjectThatIsLeftOutTheLeastPartIsKept() {
        FactBudget budget = budget(10_000);
        assertThat(budget.take(GOOD, 20_000, 100)).isEqualTo(Room.LEAST);
        assertThat(budget.take(EVIL, 9_000, 0)).isEqualTo(Room.ALL);
    }

    @Test
    void whatIsGivenBackCanBeTakenAgain() {
        FactBudget budget = budget(10_000);
        assertThat(budget.take(GOOD, 9_000, 0)).isEqualTo(Room.ALL);
        budget.giveBack(GOOD, 9_000, 1);

        assertThat(budget.take(EVIL, 9_000, 0)).isEqualTo(Room.ALL);
        assertThat(budget.leftOut()).isEmpty();
    }

    @Test
    @Timeout(20)
    void aMillionNamespacesWithOneObjectEachAreCountedOnly() {
        FactBudget budget = budget(1_000_000);
        for (int i = 0; i < 1_000_000; i++) {
            var _ = budget.take(new FactShare(ClusterFactKind.EVENTS, "n" + i), 600, 0);
        }

        assertThat(budget.leftOut().size() + dropped.size()).isLessThan(5_000);
        assertThat(budget.othersLeftOut().get(ClusterFactKind.EVENTS)).isGreaterThan(900_000);
    }
}
