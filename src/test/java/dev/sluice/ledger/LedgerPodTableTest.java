package dev.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerPodTableTest {

    /** Ids of which many have the same home slot, so that searches overlap. */
    private static PodId id(Random random) {
        long same = random.nextInt(40);
        long high = random.nextInt(60);
        return random.nextBoolean() ? new PodId(high, high ^ same) : new PodId(random.nextInt(3_000), 0);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void holdsWhatAHashMapHolds(long seed) {
        Random random = new Random(seed);
        LedgerPodTable table = new LedgerPodTable();
        Map<PodId, LedgerPodEntry> expected = new HashMap<>();
        for (int i = 0; i < 40_000; i++) {
            PodId id = id(random);
            LedgerPodEntry known = expected.get(id);
            assertThat(table.get(id)).isSameAs(known);
            // The table grows, and shrinks later.
            boolean adds = random.nextInt(10) < (i < 20_000 ? 8 : 2);
            if (known == null && adds) {
                LedgerPodEntry entry = new LedgerPodEntry(id, Amounts.NONE);
                expected.put(id, entry);
                table.add(entry);
            } else if (known != null && !adds) {
                expected.remove(id);
                table.remove(known);
            }
            assertThat(table.size()).isEqualTo(expected.size());
        }
        List<LedgerPodEntry> all = new ArrayList<>();
        table.forEach(all::add);
        assertThat(all).containsExactlyInAnyOrderElementsOf(expected.values());
        List<LedgerPodEntry> inParts = new ArrayList<>();
        for (int slot = 0; slot < table.slots(); slot += 16) {
            table.forEachIn(slot, slot + 16, inParts::add);
        }
        assertThat(inParts).isEqualTo(all);
    }
}
