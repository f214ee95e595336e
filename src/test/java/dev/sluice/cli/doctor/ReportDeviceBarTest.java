package dev.sluice.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.doctor.ReportDeviceBar.BarPart;
import dev.sluice.cli.doctor.ReportDeviceBar.BarRun;
import org.junit.jupiter.api.Test;

class ReportDeviceBarTest {

    @Test
    void thePartsMakeUpTheWhole() {
        assertThat(ReportDeviceBar.of(8, 7, 4, 2)).isEqualTo(new ReportDeviceBar(4, 2, 1, 1));
    }

    /** A node whose devices became fewer has more pods than devices. */
    @Test
    void noPartIsNegative() {
        assertThat(ReportDeviceBar.of(8, 2, 4, 3)).isEqualTo(new ReportDeviceBar(2, 0, 0, 6));
        assertThat(ReportDeviceBar.of(0, 5, -1, -1)).isEqualTo(new ReportDeviceBar(0, 0, 5, 0));
    }

    @Test
    void numbersBeyondReasonDoNotOverflow() {
        ReportDeviceBar bar = ReportDeviceBar.of(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

        assertThat(bar.plus(bar).runs(4)).containsExactly(new BarRun(BarPart.TAKEN, 4));
    }

    @Test
    void eachDeviceHasACellWhereThereIsRoom() {
        assertThat(new ReportDeviceBar(5, 0, 2, 1).runs(32))
                .containsExactly(
                        new BarRun(BarPart.TAKEN, 5), new BarRun(BarPart.FREE, 2), new BarRun(BarPart.BROKEN, 1));
    }

    @Test
    void aSmallPartOfManyIsStillSeen() {
        assertThat(new ReportDeviceBar(500, 0, 499, 1).runs(10))
                .containsExactly(
                        new BarRun(BarPart.TAKEN, 5), new BarRun(BarPart.FREE, 5), new BarRun(BarPart.BROKEN, 1));
    }

    @Test
    void wordsSayWhatTheBarShows() {
        assertThat(new ReportDeviceBar(3, 1, 2, 2).words()).isEqualTo("3 of 6 in use, 1 reserved, 2 not offered");
    }
}
