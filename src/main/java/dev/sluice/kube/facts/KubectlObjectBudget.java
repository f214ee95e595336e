package dev.sluice.kube.facts;

import java.io.IOException;
import java.io.Serial;

/** Limits the memory of the objects that a command reads and keeps. */
public final class KubectlObjectBudget {

    /** Reports that the objects take too much memory. The message says how the user can raise the limit. */
    public static final class TooManyObjects extends IOException {

        @Serial
        private static final long serialVersionUID = 1;

        private final long most;

        private TooManyObjects(long most) {
            super(FactBudget.tooLarge(most, ""));
            this.most = most;
        }

        /** Returns the message, which also names the kind with most objects. */
        String of(String mostFrequent) {
            return FactBudget.tooLarge(most, ", most of them " + mostFrequent);
        }
    }

    private final long most;
    private long kept;

    /**
     * Creates a budget.
     *
     * @param most the limit in bytes, for example {@link KubectlFileLimits#factBytes}
     */
    public KubectlObjectBudget(long most) {
        this.most = most;
    }

    /** Returns a budget for a process that only runs one command. */
    public static KubectlObjectBudget ofCommand() {
        return new KubectlObjectBudget(FactBudget.ofCommand());
    }

    /** Takes memory for an object. Returns false if the limit is exceeded, so that the object must not be kept. */
    public boolean takes(Object object) {
        kept += FactWeight.of(object);
        return kept <= most;
    }

    /** Takes memory for an object that is kept. Throws an exception if the limit is exceeded. */
    public void keep(Object object) throws TooManyObjects {
        keep(FactWeight.of(object));
    }

    /** Takes this many bytes. A negative number returns bytes to the budget. */
    public void keep(long bytes) throws TooManyObjects {
        kept += bytes;
        check();
    }

    /** Throws an exception if the limit is exceeded. */
    public void check() throws TooManyObjects {
        if (kept > most) {
            throw new TooManyObjects(most);
        }
    }
}
