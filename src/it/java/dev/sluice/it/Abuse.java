package dev.sluice.it;

import java.util.random.RandomGenerator;

/**
 * One thing that somebody may do who can create pods, or reaches the webhook's port.
 *
 * @param name for the account of what was done
 * @param act does it once; what it holds open afterwards, its maker closes
 */
record Abuse(String name, Act act) {

    interface Act {
        void once(RandomGenerator random) throws Exception;
    }
}
