/**
 * The appenders, encoders and formats of the log, the rate limit of its stack traces, and the token bucket by which
 * other packages limit rates. No log line delays a decision, lost lines are counted, and untrusted text cannot forge a
 * line or a key.
 */
@NullMarked
package dev.sluice.log;

import org.jspecify.annotations.NullMarked;
