package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.it.Browser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** People do more with the console than read it: they share addresses, go back, drop files and print. */
class ConsoleUseIT extends ScriptedConsole {

    /** More nodes than a window shows. */
    private static final int NODES = 400;

    /** Chooses an option as a person does. */
    private void choose(String label, String option) {
        var _ = browser.value("""
                (() => {
                    const select = [...document.querySelectorAll('.choice')]
                        .find(choice => choice.querySelector('span').innerText === %s).querySelector('select');
                    select.value = %s;
                    select.dispatchEvent(new Event('change', {bubbles: true}));
                })()""".formatted(Browser.quoted(label), Browser.quoted(option)));
    }

    @Test
    void anAddressHoldsTheFiltersForOthersForAReloadAndForTheWayBack() {
        open("/fleet");
        browser.until("the tiles are there", "document.querySelector('.tile')");
        browser.type("main input[type=search]", "gpu-4");
        choose("Group by", "pool");
        choose("State", "free");
        var _ = browser.value("document.querySelector('.check input').click()");
        String filtered = "document.querySelectorAll('.tile').length === 11"
                + " && [...document.querySelectorAll('.tile')].every(tile => tile.dataset.node.startsWith('gpu-4'))";
        browser.until("the filters hold", filtered);
        String address = browser.value("location.hash").asText();
        assertThat(address).isEqualTo("#/fleet?text=gpu-4&group=pool&state=free&fold=no");

        // Somebody else opens the address, and loads the page again.
        open(address.substring(1));
        browser.until("the filters hold", filtered);
        assertThat(browser.value("document.querySelector('main input[type=search]').value")
                        .asText())
                .isEqualTo("gpu-4");

        browser.click(".tile[data-node=gpu-42]");
        browser.until("the node is open", "document.querySelector('.panel')");
        assertThat(browser.value("location.hash").asText()).startsWith(address).contains("node=gpu-42");
        var _ = browser.value("location.hash = '/health'");
        browser.until("another view is there", "document.querySelector('main.view-health')");
        var _ = browser.value("history.back()");
        browser.until("the node is open again", "document.querySelector('.panel')");
        var _ = browser.value("history.back()");
        browser.until("the node is closed, and the filters hold", "!document.querySelector('.panel') && " + filtered);
    }

    @Test
    void aFileThatIsDroppedIsExplained() {
        open("/what-if");
        browser.until("the view is there", "document.querySelector('textarea')");

        var _ = browser.value("""
                (() => {
                    const dataTransfer = new DataTransfer();
                    dataTransfer.items.add(new File(['kind: Pod\\nmetadata: {name: dropped}\\n'], 'pod.yaml'));
                    const form = document.querySelector('.what-if form');
                    for (const type of ['dragover', 'drop'])
                        form.dispatchEvent(new DragEvent(type, {dataTransfer, bubbles: true, cancelable: true}));
                })()""");

        browser.until("the answer is there", "document.querySelector('.explained')");
        assertThat(browser.value("document.querySelector('textarea').value").asText())
                .contains("name: dropped");
    }

    @Test
    void aRecordLeadsToWhatWouldHappenNow() {
        gateway.decide("research", "train-*");
        open("/decisions/review-1");
        browser.until("the record is there", "document.querySelector('.record')");

        browser.click(".record > .sentence a");

        browser.until("the answer is there", "document.querySelector('.explained')");
        assertThat(browser.value("location.hash").asText()).isEqualTo("#/what-if?decision=review-1");
        assertThat(browser.value("""
                JSON.stringify((({metadata, spec}) => [metadata, spec.containers])(JSON.parse(document.querySelector('textarea').value)))
                """).asText())
                .isEqualTo("[{\"namespace\":\"research\",\"generateName\":\"train-\"},"
                        + "[{\"name\":\"main\",\"resources\":{\"limits\":{\"nvidia.com/mig-1g.10gb\":\"1\"}}}]]");
        assertThat(browser.text("main .note")).contains("It lacks everything else that decides");
    }

    @Test
    void paperHasEveryNodeInLightColoursAndNoControls() throws Exception {
        gateway.close();
        gateway = new ScriptedGateway(NODES, /* asksForToken= */ false);
        browser.theme("dark");
        open("/fleet?fold=no");
        browser.until("the tiles are there", "document.querySelector('.tile')");
        assertThat(browser.value("document.querySelectorAll('.tile').length").asInt())
                .as("more nodes than the window shows")
                .isLessThan(NODES);
        // The page draws what it prints in a microtask. A task would run when the printing is over, or before.
        var _ = browser.value("""
                (addEventListener('beforeprint', () => queueMicrotask(() => { window.printed = {
                    tiles: document.querySelectorAll('.tile').length,
                    background: getComputedStyle(document.body).backgroundColor,
                    controls: getComputedStyle(document.querySelector('.filters')).display}; })), true)""");

        browser.print(Path.of("target", "console", "fleet.pdf"));

        assertThat(Files.size(Path.of("target", "console", "fleet.pdf"))).isPositive();
        browser.until("the page was printed", "window.printed");
        assertThat(browser.value("window.printed.tiles").asInt()).isEqualTo(NODES);
        var _ = browser.call("Emulation.setEmulatedMedia", Map.of("media", "print"));
        assertThat(browser.value("getComputedStyle(document.body).backgroundColor")
                        .asText())
                .isEqualTo("rgb(255, 255, 255)");
        assertThat(browser.value("getComputedStyle(document.querySelector('.filters')).display")
                        .asText())
                .isEqualTo("none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/fleet", "/capacity"})
    void withoutPodsTheViewSaysWhichRightIsMissing(String fragment) {
        gateway.losePods();

        open(fragment);

        browser.until(
                "the right is named",
                "document.querySelector('main .note')?.innerText.includes('rights.listPods=true')");
        assertThat(browser.value("document.querySelector('.bar').getAttribute('aria-label')")
                        .asText())
                .contains("what is used is not known");
    }
}
