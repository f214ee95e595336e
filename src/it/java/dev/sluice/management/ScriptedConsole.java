package dev.sluice.management;

import dev.sluice.it.Browser;
import dev.sluice.it.WithChromium;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A browser before an API that the test writes. */
@WithChromium
abstract class ScriptedConsole {

    @TempDir
    Path directory;

    Browser browser;
    ScriptedGateway gateway;

    @BeforeEach
    void start() throws Exception {
        gateway = new ScriptedGateway(60, /* asksForToken= */ false);
        browser = new Browser(directory);
        browser.size(1280, 900);
    }

    @AfterEach
    void stop() throws Exception {
        browser.close();
        gateway.close();
    }

    /** Opens a view, and waits until it is live. */
    void open(String fragment) {
        browser.open(gateway.url(fragment));
        browser.until("the page is live", "document.querySelector('.connection.live')");
    }
}
