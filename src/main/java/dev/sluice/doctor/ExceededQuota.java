package dev.sluice.doctor;

import java.util.Optional;

/**
 * The parts of the message of the ResourceQuota admission plugin, as in {@code exceeded quota: gpus, requested:
 * requests.nvidia.com/gpu=1, used: requests.nvidia.com/gpu=8, limited: requests.nvidia.com/gpu=8}.
 */
record ExceededQuota(String name, String requested, String used, String limited) {

    private static final String NAME = "exceeded quota: ";
    private static final String REQUESTED = ", requested: ";
    private static final String USED = ", used: ";
    private static final String LIMITED = ", limited: ";

    /**
     * Returns the parts of the message, if the text contains such a message. The search takes linear time, because the
     * text can come from any user who may create Events.
     */
    static Optional<ExceededQuota> in(String text) {
        int found = text.indexOf(NAME);
        while (found >= 0) {
            int begin = found + NAME.length();
            int comma = text.indexOf(',', begin);
            if (comma < 0) {
                return Optional.empty();
            }
            if (comma > begin && text.startsWith(REQUESTED, comma)) {
                return after(text, text.substring(begin, comma), comma + REQUESTED.length());
            }
            found = text.indexOf(NAME, Math.max(begin, comma - NAME.length()));
        }
        return Optional.empty();
    }

    private static Optional<ExceededQuota> after(String text, String name, int requested) {
        int used = text.indexOf(USED, requested);
        int limited = used < 0 ? -1 : text.indexOf(LIMITED, used + USED.length());
        if (limited < 0) {
            return Optional.empty();
        }
        int last = limited + LIMITED.length();
        int end = text.indexOf(' ', last);
        return Optional.of(new ExceededQuota(
                name,
                text.substring(requested, used),
                text.substring(used + USED.length(), limited),
                text.substring(last, end < 0 ? text.length() : end)));
    }
}
