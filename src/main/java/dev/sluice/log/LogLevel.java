package dev.sluice.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import org.slf4j.LoggerFactory;

/** The level of the gateway's own lines. Libraries keep the levels in logback.xml. */
public enum LogLevel {
    ERROR,
    WARN,
    /** This level has a line for each decision. */
    INFO,
    /** This level also has lines for refused requests, lost events and reads that will be repeated. */
    DEBUG;

    private static final String OURS = "dev.sluice";

    /** Leaves out all further lines below this level. Nothing happens if another library writes the log. */
    public void use() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            use(context);
        }
    }

    void use(LoggerContext context) {
        context.getLogger(OURS).setLevel(Level.toLevel(name()));
    }
}
