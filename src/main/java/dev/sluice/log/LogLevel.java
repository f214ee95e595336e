package dev.sluice.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import org.slf4j.LoggerFactory;

/** The lowest level at which the gateway's own lines are logged. The levels of libraries are set in logback.xml. */
public enum LogLevel {
    ERROR,
    WARN,
    /** Logs each decision. */
    INFO,
    /** Also logs refused requests, lost events, and failed reads that will be repeated. */
    DEBUG;

    private static final String OURS = "dev.sluice";

    /** Sets the level for all log lines from now on. Does nothing if the log library is not Logback. */
    public void use() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            use(context);
        }
    }

    void use(LoggerContext context) {
        context.getLogger(OURS).setLevel(Level.toLevel(name()));
    }
}
