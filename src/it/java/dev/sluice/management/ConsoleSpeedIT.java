package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Measures the console with many nodes in a real browser. It runs alone, because other tests on the machine would be
 * measured, too.
 */
@Isolated
class ConsoleSpeedIT extends ScriptedConsole {

    private static final int MANY_NODES = 5_000;

    /**
     * The limit for the work in a frame of a scroll: script, style and layout, on average. A screen shows a frame every
     * 16.7 ms. The machine of a test is slower than that of a person, so the limit is twice as long.
     */
    private static final double MOST_MILLIS_A_FRAME = 33;

    /** The limit for the first view. A usual machine needs a tenth. */
    private static final double MOST_MILLIS_TO_FIRST_VIEW = 5_000;

    @Test
    void manyNodesAreShownSoonAndScrollWithoutAStutter() throws Exception {
        gateway.close();
        gateway = new ScriptedGateway(MANY_NODES, /* asksForToken= */ false);
        open("/fleet?fold=no");
        browser.until("the tiles are there", "document.querySelectorAll('.tile').length > 20");
        double firstView = browser.value("performance.now()").asDouble();
        assertThat(browser.value("document.querySelectorAll('.tile').length").asInt())
                .isLessThan(400);

        double before = work();
        int frames = 0;
        // The browser draws without a graphics processor, so 90 frames can take longer than one call may.
        for (int part = 0; part < 6; part++) {
            frames += browser.value("""
                    new Promise(done => {
                        let frames = 0;
                        const step = () => { scrollBy(0, 240); ++frames < 15 ? requestAnimationFrame(step) : done(frames); };
                        requestAnimationFrame(step);
                    })""").asInt();
        }
        double millis = 1_000 * (work() - before) / frames;
        System.out.printf(
                "console: first view of %d nodes after %.0f ms, %.1f ms of work a frame%n",
                MANY_NODES, firstView, millis);

        assertThat(browser.value("scrollY").asInt()).isGreaterThan(10_000);
        assertThat(millis).isLessThan(MOST_MILLIS_A_FRAME);
        assertThat(firstView).isLessThan(MOST_MILLIS_TO_FIRST_VIEW);
        browser.press("End");
    }

    /** The seconds that the page has worked, without the drawing of pixels, which graphics processors do elsewhere. */
    private double work() {
        return browser.metric("ScriptDuration")
                + browser.metric("LayoutDuration")
                + browser.metric("RecalcStyleDuration");
    }
}
