package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.record.RecordedStreamEvent;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecentRecordedEventsTest {

    private final RecentRecordedEvents events = new RecentRecordedEvents();

    private void add(int count) {
        LongStream.rangeClosed(events.newest() + 1, events.newest() + count)
                .forEach(number -> events.add(new RecordedStreamEvent.CapacityChanged(number, 1)));
    }

    @Test
    void beforeTheFirstEventThereIsNone() {
        assertThat(events.newest()).isZero();
        assertThat(events.oldest()).isEqualTo(1);
        assertThat(events.at(1)).isEmpty();
    }

    @Test
    void eachIsFoundByItsNumberWhileItIsKept() {
        add(RecentRecordedEvents.MOST);
        assertThat(events.oldest()).isEqualTo(1);
        assertThat(events.at(1)).contains(new RecordedStreamEvent.CapacityChanged(1, 1));

        add(1);
        assertThat(events.oldest()).isEqualTo(2);
        assertThat(events.at(1)).isEmpty();
        assertThat(events.at(2)).contains(new RecordedStreamEvent.CapacityChanged(2, 1));
        assertThat(events.at(1_001)).contains(new RecordedStreamEvent.CapacityChanged(1_001, 1));
        assertThat(events.at(1_002)).isEmpty();
    }
}
