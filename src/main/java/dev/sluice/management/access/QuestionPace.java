package dev.sluice.management.access;

import java.util.concurrent.TimeUnit;

/** Allows so many questions in each second. Has one owner. */
final class QuestionPace {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final int most;
    private long begin;
    private int allowed;

    QuestionPace(int most, long nowNanos) {
        this.most = most;
        this.begin = nowNanos;
    }

    boolean allows(long nowNanos) {
        if (nowNanos - begin >= SECOND) {
            begin = nowNanos;
            allowed = 0;
        }
        if (allowed >= most) {
            return false;
        }
        allowed++;
        return true;
    }
}
