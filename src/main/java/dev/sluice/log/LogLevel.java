package dev.sluice.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import org.slf4j.LoggerFactory;

/** Which of the gateway's own lines are written; libraries keep the levels of logback.xml. */
public enum LogLevel {
    ERROR,
    WARN,
    /** Each decision has a line. */
    INFO,
    /** Refused requests, lost events and reads that will be repeated have lines too. */
    DEBUG;

    private static final String OURS = "dev.sluice";

    /** From now on lines below this level are left out. Nothing happens if another library writes the log. */
    public void use() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            use(context);
        }
    }

    void use(LoggerContext context) {
        context.getLogger(OURS).setLevel(Level.toLevel(name()));
    }
}
