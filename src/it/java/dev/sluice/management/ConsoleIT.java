package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.it.Browser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The console in a real browser, before an API that the test writes. The pictures are in target/console. */
class ConsoleIT extends ScriptedConsole {

    private static final Path PICTURES = Path.of("target", "console");

    /** How long a page stays open, by its clock. A day takes two minutes. */
    private static final int HOURS = Integer.getInteger("console.hours", 4);

    private static final String HOSTILE =
            "<img src=x onerror=\"window.harmed=1\"><script>window.harmed=1</script>\u202egnp.evil\u200b\u0007";

    private void decideSome() {
        for (int number = 1; number <= 12; number++) {
            gateway.decide(number % 2 == 0 ? "research" : "vision", "train-" + number);
        }
    }

    /** The views, each with what only its data shows. */
    static Stream<Arguments> views() {
        return Stream.of(
                Arguments.of("/fleet", "gpu-1\n"),
                Arguments.of("/fleet?node=gpu-40&fold=no&group=pool", "train-there"),
                Arguments.of("/capacity?resource=nvidia.com%2Fmig-2g.20gb", "research"),
                Arguments.of("/flow", "mig-1g.10gb"),
                Arguments.of("/decisions", "train-12"),
                Arguments.of("/decisions/review-3", "No node offers it."),
                Arguments.of("/what-if", "Paste or drop"),
                Arguments.of("/waiting", "train-x"),
                Arguments.of("/health", "gpu-webhook-1"));
    }

    @ParameterizedTest
    @MethodSource("views")
    void eachViewShowsItsDataToEverybody(String fragment, String shown) throws Exception {
        decideSome();
        for (String theme : new String[] {"light", "dark"}) {
            browser.theme(theme);
            open(fragment);
            browser.until(
                    "the view shows its data",
                    "document.querySelector('main').innerText.includes(" + Browser.quoted(shown) + ")");

            assertThat(browser.violations()).as("%s, %s", fragment, theme).isEmpty();
            for (int width : new int[] {360, 1280, 3840}) {
                browser.size(width, width == 360 ? 780 : width * 9 / 16);
                browser.until("the page is as wide as the window", "document.documentElement.scrollWidth <= " + width);
                browser.picture(
                        PICTURES.resolve(fragment.replaceAll("[^a-z0-9-]+", "_") + "-" + width + "-" + theme + ".png"));
            }
            browser.size(1280, 900);
        }
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void aBrokenStreamIsToldAtOnceAndContinuesWithoutAGapOrADouble() {
        gateway.decide("research", "before");
        open("/decisions");
        gateway.decide("research", "seen");
        browser.until("the decision is shown", "document.querySelectorAll('tbody tr').length === 2");

        gateway.refuseStreams(true);
        gateway.breakStreams();

        browser.until("the page says so", "document.querySelector('div.broken button')");
        assertThat(browser.text(".connection")).contains("Not up to date");
        gateway.decide("research", "missed-1");
        gateway.decide("research", "missed-2");
        gateway.refuseStreams(false);
        browser.click("div.broken button");
        browser.until("the page is live again", "document.querySelector('.connection.live')");
        gateway.decide("research", "after");
        browser.until("all decisions are shown", "document.querySelectorAll('tbody tr').length === 5");
        assertThat(browser.value(
                                "[...document.querySelectorAll('tbody .pod')].map(pod => pod.innerText.split('/')[1]).join()")
                        .asText())
                .isEqualTo("after,missed-2,missed-1,seen,before");
        assertThat(gateway.lastIds()).containsExactly("", "t-e2");
    }

    @Test
    void whatIsUsedIsShownAsItChanges() {
        open("/fleet?text=gpu-1&fold=no&node=gpu-1");
        browser.until("the node is shown", "document.querySelector('.panel')?.innerText.includes('gpu-1')");

        gateway.use(5);

        browser.until(
                "its use is shown",
                "document.querySelector('.panel .bar').getAttribute('aria-label').includes('5 used')");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/decisions", "/decisions/review-1", "/fleet", "/flow"})
    void namesOfOthersAreText(String fragment) {
        gateway.decide(HOSTILE, HOSTILE + "y".repeat(64 * 1024));
        open(fragment);
        browser.until("the view is there", "document.querySelector('main').innerText.length > 100");

        assertThat(browser.value("window.harmed ?? 0").asInt()).isZero();
        assertThat(browser.value("document.querySelectorAll('main img, main script').length")
                        .asInt())
                .isZero();
        assertThat(browser.value("/[\\u202a-\\u202e\\u200b\\u0007]/.test(document.body.innerText)")
                        .asBoolean())
                .isFalse();
        assertThat(browser.value("document.body.innerText.length").asInt()).isLessThan(20_000);
        assertThat(browser.errors()).isEmpty();
        if (fragment.equals("/decisions")) {
            assertThat(browser.text("tbody")).contains("<img src=x", "\\u202egnp.evil");
        }
    }

    @Test
    void theTokenStaysInTheMemoryOfThePage() throws Exception {
        gateway.close();
        gateway = new ScriptedGateway(3, /* asksForToken= */ true);
        browser.open(gateway.url("/fleet"));
        browser.until("the page asks for a token", "document.querySelector('.sign-in input[type=password]')");
        assertThat(browser.violations()).isEmpty();

        browser.type(".sign-in input[type=password]", "a-bad-token");
        browser.press("Enter");
        browser.until("the page asks again", "document.querySelector('.sign-in input').value === ''");
        browser.type(".sign-in input[type=password]", ScriptedGateway.TOKEN);
        browser.press("Enter");
        browser.until("the page is live", "document.querySelector('.connection.live')");

        assertThat(browser.value(
                                "location.href + document.cookie + JSON.stringify([localStorage, sessionStorage, history.state])")
                        .asText())
                .doesNotContain(ScriptedGateway.TOKEN);
        assertThat(browser.value("document.documentElement.outerHTML").asText()).doesNotContain(ScriptedGateway.TOKEN);
        browser.open(gateway.url("/fleet"));
        browser.until("a page that is loaded again asks again", "document.querySelector('.sign-in')");
    }

    @Test
    void aHiddenPageAsksNothing() {
        // This view asks every 5 s, and no other one asks more often.
        open("/flow");
        browser.until("the view is there", "document.querySelector('.sankey a')");

        browser.hide();
        browser.until("the page has paused", "document.querySelector('.connection.hidden')");
        Browser.await("the stream is closed", () -> gateway.streams() == 0);
        int requests = gateway.requests();
        gateway.decide("research", "in-the-meantime");
        var _ = browser.value("new Promise(done => setTimeout(done, 6000))");
        assertThat(gateway.requests()).isEqualTo(requests);

        browser.show();
        browser.until("the page is live again", "document.querySelector('.connection.live')");
    }

    /** The last view asks for nothing but what comes by the stream. */
    @ParameterizedTest
    @ValueSource(strings = {"/flow", "/capacity", "/health", "/waiting", "/decisions"})
    void aPageThatIsHiddenForAnHourAsksNothingAndThenCatchesUpWithoutAGapOrADouble(String fragment) {
        var _ = browser.call("Page.addScriptToEvaluateOnNewDocument", Map.of("source", CLOCK));
        gateway.decide("research", "before");
        open(fragment);
        // The view has asked again by then. A stream without heartbeats would be given up after 40 s.
        var _ = browser.value("pass(30000)");

        browser.hide();
        browser.until("the page has paused", "document.querySelector('.connection.hidden')");
        Browser.await("the stream is closed", () -> gateway.streams() == 0);
        int requests = gateway.requests();
        List<String> expected = new ArrayList<>(List.of("before", "after"));
        for (int minute = 1; minute <= 60; minute++) {
            gateway.decide("vision", "in-minute-" + minute);
            expected.add("in-minute-" + minute);
        }
        var _ = browser.value("pass(3600000)");
        assertThat(gateway.requests()).isEqualTo(requests);

        browser.show();
        browser.until("the page is live again", "document.querySelector('.connection.live')");
        gateway.decide("research", "after");
        var _ = browser.value("location.hash = '/decisions'");
        browser.until("the newest is shown", "document.querySelector('tbody .pod')?.innerText.includes('after')");
        assertThat(shownPods()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(gateway.lastIds()).containsExactly("", "t-e1");
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void aHiddenPageThatHasMissedMoreThanTheGatewayKeepsLoadsWhatIsKept() {
        gateway.decide("research", "before");
        open("/decisions");
        browser.hide();
        Browser.await("the stream is closed", () -> gateway.streams() == 0);
        for (int number = 1; number <= 1_500; number++) {
            gateway.decide("vision", "missed-" + number);
        }

        browser.show();

        browser.until("what is kept is shown", "document.querySelector('main').innerText.includes('1,001 decisions')");
        assertThat(shownPods()).startsWith("missed-1500", "missed-1499").doesNotHaveDuplicates();
    }

    private List<String> shownPods() {
        return List.of(browser.value(
                        "[...document.querySelectorAll('tbody .pod')].map(pod => pod.innerText.split('/')[1]).join()")
                .asText()
                .split(","));
    }

    @Test
    void decisionsThatWereLeftOutAreCountedAndLoadedOnRequest() throws Exception {
        gateway.decide("research", "before");
        open("/decisions");
        gateway.leaveOut(30, "vision", "fast");

        browser.until(
                "their number is shown",
                "document.querySelector('.left-out')?.innerText.includes('30 more decisions were made')");
        assertThat(browser.violations()).isEmpty();
        browser.click(".left-out button");

        browser.until("they are shown", "document.querySelectorAll('tbody tr').length === 31");
        browser.until("nothing more is left out", "!document.querySelector('.left-out')");
        assertThat(shownPods()).contains("before", "fast-1", "fast-30").doesNotHaveDuplicates();
    }

    /** The page also loads them when nobody looks at the list, so that it is whole when somebody does. */
    @Test
    void decisionsThatWereLeftOutAreLoadedWhenNoMoreAreLeftOut() {
        var _ = browser.call("Page.addScriptToEvaluateOnNewDocument", Map.of("source", CLOCK));
        open("/fleet");
        gateway.decide("research", "before");
        int lists = gateway.sinces().size();
        for (int second = 1; second <= 5; second++) {
            gateway.leaveOut(30, "vision", "fast-" + second);
            var _ = browser.value("pass(1000)");
        }
        assertThat(gateway.sinces()).hasSize(lists);

        var _ = browser.value("pass(5000)");

        assertThat(gateway.sinces()).hasSize(lists + 1);
        var _ = browser.value("pass(60000)");
        assertThat(gateway.sinces()).hasSize(lists + 1);
        var _ = browser.value("location.hash = '/decisions'");
        browser.until("they are shown", "document.querySelector('main').innerText.includes('151 decisions')");
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void aPageThatStaysOpenKeepsItsMemory() {
        open("/decisions");
        for (int number = 0; number < 3_000; number++) {
            gateway.decide("research", "train-" + number);
        }
        browser.until("the newest is shown", "document.querySelector('tbody .pod')?.innerText.includes('train-2999')");
        double first = heap();
        for (int number = 3_000; number < 12_000; number++) {
            gateway.decide("research", "train-" + number);
        }
        browser.until("the newest is shown", "document.querySelector('tbody .pod')?.innerText.includes('train-11999')");

        assertThat(heap()).isLessThan(1.5 * first);
    }

    /**
     * Replaces the clock and the timers of the page by those that only {@code pass} moves. After each timer it waits
     * until the gateway has answered.
     */
    private static final String CLOCK = """
            (() => {
                const real = {Date, setTimeout: window.setTimeout.bind(window)};
                let now = real.Date.now(), last = 0, asked = 0;
                const timers = new Map();
                window.Date = class extends real.Date {
                    constructor(...given) { given.length ? super(...given) : super(now); }
                    static now() { return now; }
                };
                const add = (task, wait = 0, every) => (timers.set(++last, {task, at: now + wait, every}), last);
                window.setTimeout = (task, wait) => add(task, wait);
                window.setInterval = (task, wait) => add(task, wait, wait);
                window.clearTimeout = window.clearInterval = (id) => timers.delete(id);
                const ask = window.fetch.bind(window);
                window.fetch = async (...given) => {
                    asked++;
                    try {
                        const answer = await ask(...given);
                        if (String(answer.headers.get('Content-Type')).includes('json')) await answer.clone().arrayBuffer();
                        return answer;
                    } finally { asked--; }
                };
                const settle = async () => {
                    do { await new Promise((done) => real.setTimeout(done, 3)); } while (asked > 0);
                };
                window.pass = async (millis) => {
                    const end = now + millis;
                    let isQuiet = false;
                    for (;;) {
                        const [id, timer] = [...timers].sort((a, b) => a[1].at - b[1].at)[0] ?? [0, {at: Infinity}];
                        if (timer.at > end) {
                            if (isQuiet) break;
                            isQuiet = true;
                            await settle();
                            continue;
                        }
                        isQuiet = false;
                        now = Math.max(now, timer.at);
                        timer.every ? (timer.at = now + timer.every) : timers.delete(id);
                        timer.task();
                        await settle();
                    }
                    now = end;
                };
            })()""";

    @Test
    void aPageThatStaysOpenForHoursKeepsItsMemory() {
        var _ = browser.call("Page.addScriptToEvaluateOnNewDocument", Map.of("source", CLOCK));
        for (int number = 0; number < 1_000; number++) {
            gateway.decide("research", "before-" + number);
        }
        open("/capacity");
        // The page keeps 2,000 decisions. They are there before the day begins, so the day adds none.
        for (int number = 0; number < 1_500; number++) {
            gateway.decide("research", "first-" + number);
        }
        double atFirst = 0;
        for (int minute = 1; minute <= HOURS * 60; minute++) {
            gateway.decide("vision", "train-" + minute);
            gateway.use(minute % 8);
            var _ = browser.value("pass(60000)");
            if (minute == 60) {
                atFirst = heap();
            }
        }

        assertThat(gateway.questions("/api/v1/capacity/holders"))
                .as("a question every 30 s")
                .isGreaterThan(85L * HOURS);
        // The clock of the page stands still between two minutes. A page that lost its connection in the last one needs
        // some time of this clock until it connects again.
        Browser.await(
                "the page is live",
                () -> browser.value("pass(1000).then(() => Boolean(document.querySelector('.connection.live')))")
                        .asBoolean());
        assertThat(heap()).isLessThan(1.5 * atFirst);
        assertThat(browser.errors()).isEmpty();
    }

    private double heap() {
        var _ = browser.call("HeapProfiler.collectGarbage", Map.of());
        return browser.metric("JSHeapUsedSize");
    }

    @Test
    void theKeyboardIsEnough() {
        open("/fleet?fold=no");
        browser.until("the tiles are there", "document.querySelector('.tile')");
        var _ = browser.value("document.querySelector('.tile[tabindex=\"0\"]').focus()");

        browser.press("ArrowRight");
        browser.until("the next tile has the focus", "document.activeElement.dataset.node === 'gpu-2'");
        browser.press("End");
        browser.until("the last tile has the focus", "document.activeElement.dataset.node === 'gpu-40'");
        browser.press("Enter");
        browser.until("the node is open", "document.activeElement.id === 'node-name'");
        browser.press("Escape");
        browser.until("its tile has the focus again", "document.activeElement.dataset?.node === 'gpu-40'");
        browser.press("/");
        browser.until("the search has the focus", "document.activeElement.type === 'search'");
    }

    @Test
    void aManifestIsExplained() {
        open("/what-if");
        browser.until("the view is there", "document.querySelector('textarea')");

        browser.type("textarea", "kind: Pod\nmetadata: {name: try-it}\n---\nkind: Pod\n");
        browser.click("form button.primary");
        browser.until(
                "the answer is shown",
                "document.querySelector('.explained')?.innerText.includes('using nvidia.com/mig-2g.20gb')");

        var _ = browser.value("document.querySelector('textarea').select()");
        browser.type("textarea", "a: [b");
        browser.click("form button.primary");
        browser.until(
                "the mistake is told",
                "document.querySelector('.results [role=alert]')?.innerText.includes('cannot be read')");
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void aClickOnTheFlowLeadsToItsDecisions() {
        decideSome();
        open("/flow");
        browser.until("the flow is drawn", "document.querySelector('.sankey a')");

        var _ = browser.value(
                "document.querySelector('.sankey a').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))");

        browser.until("the decisions are shown", "document.querySelectorAll('tbody .pod').length === 8");
        assertThat(browser.value("location.hash").asText())
                .startsWith("#/decisions?from=nvidia.com%2Fmig-1g.10gb")
                .contains("&since=20");
    }

    @Test
    void aFallbackBecauseNothingElseWasFreeIsNoWait() {
        open("/flow");
        browser.until("the flow is there", "document.querySelector('section[aria-label=Waits] tbody')");

        assertThat(browser.text("section[aria-label=Waits] tbody"))
                .contains("Exhausted", "Kept")
                .doesNotContain("Changed");
        assertThat(browser.text("section[aria-label='Other decisions'] tbody")).contains("Exhausted", "Changed");
    }

    @Test
    void whatIsDecidedBeforeTheStreamBeginsIsShown() {
        gateway.decide("research", "before");
        gateway.decideBeforeTheFirstStream("research", "in-between");

        open("/decisions");

        browser.until("both decisions are shown", "document.querySelectorAll('tbody .pod').length === 2");
    }

    @Test
    void theLastDecisionOfAStreamThatEndsIsShown() {
        open("/decisions");
        gateway.decideAndEnd("research", "last");

        Browser.await("the page has connected again", () -> gateway.lastIds().size() == 2);
        browser.until("the decision is shown", "document.querySelectorAll('tbody .pod').length === 1");
        assertThat(gateway.lastIds()).containsExactly("", "t-e1");
    }

    @Test
    void decisionsOfTheReplicaThatDecidesAreShown() {
        gateway.decides(false);
        open("/decisions");

        gateway.decideElsewhere("research", "elsewhere");
        browser.until("the decision is shown", "document.querySelectorAll('tbody .pod').length === 1");
        gateway.decideElsewhere("research", "the-last-one-there");
        gateway.decides(true);
        browser.until("the last one is shown", "document.querySelectorAll('tbody .pod').length === 2");
        assertThat(gateway.sinces().getLast()).startsWith("20").endsWith("Z");
    }

    @Test
    void aLabelThatIsRefusedBreaksNoView() {
        open("/fleet?group=label%3Asecret");

        browser.until(
                "the page says so", "document.querySelector('main .note')?.innerText.includes('labels are refused')");
        browser.until(
                "the nodes are shown", "document.querySelector('.tile') && document.querySelector('form.filters')");
        var _ = browser.value("location.hash = '/capacity'");
        browser.until("another view is shown", "document.querySelector('main.view-capacity tbody tr')");
    }

    @Test
    void theEndOfTheCommandIsTold() {
        open("/fleet");

        gateway.endSession();

        browser.until(
                "the page says what helps",
                "document.querySelector('.broken[role=alert]')?.innerText.includes('console again')");
        assertThat(browser.value("document.querySelectorAll('.sign-in').length").asInt())
                .isZero();
    }

    @Test
    void aRefusedQuestionIsNotRepeated() {
        gateway.refuse("/api/v1/flow");
        open("/flow");
        browser.until("the refusal is shown", "document.querySelector('main .note')");

        // The view asks every 5 s if it is answered.
        var _ = browser.value("new Promise(done => setTimeout(done, 6000))");

        assertThat(gateway.questions("/api/v1/flow")).isEqualTo(1);
    }

    @Test
    void aTenantSeesWhatOthersHoldTogether() throws Exception {
        gateway.close();
        gateway = new ScriptedGateway(3, /* asksForToken= */ true);
        gateway.holders(held(true));
        browser.open(gateway.url("/capacity?resource=nvidia.com%2Fmig-2g.20gb"));
        browser.until("the page asks for a token", "document.querySelector('.sign-in input[type=password]')");
        browser.type(".sign-in input[name=namespace]", "mine");
        browser.type(".sign-in input[type=password]", ScriptedGateway.TOKEN);
        browser.press("Enter");

        browser.until("it is shown", "document.querySelector('main').innerText.includes('Other namespaces hold 5')");
        assertThat(browser.text("main")).contains("Your namespace holds none").doesNotContain("Nobody holds");
        gateway.holders(held(false));
        var _ = browser.value("location.hash = '/fleet'");
        browser.until("another view is shown", "document.querySelector('.tile')");
        assertThat(browser.value("document.querySelectorAll('option[value=\"label:\"]').length")
                        .asInt())
                .isZero();
        var _ = browser.value("location.hash = '/capacity?resource=nvidia.com%2Fmig-2g.20gb'");
        browser.until(
                "it is not known any more",
                "document.querySelector('main').innerText.includes('It is not known who holds any of it')");
    }

    private static String held(boolean podsKnown) {
        return """
                {"time": "2026-11-27T08:00:00Z", "podsKnown": %s, "resources": [{"resource": "nvidia.com/mig-2g.20gb",
                 "allocatable": 400, "namespaces": 2, "holders": [], "others": {"pods": 3, "allocated": 5, "waiting": 0}}]}
                """.formatted(podsKnown);
    }
}
