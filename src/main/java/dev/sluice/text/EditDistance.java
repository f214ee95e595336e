package dev.sluice.text;

/** Calculates the minimum number of edits that turn one word into another. */
public final class EditDistance {

    private EditDistance() {}

    /**
     * Returns the minimum number of edits (the optimal string alignment distance). An edit adds, removes or replaces a
     * character, or swaps two adjacent characters.
     */
    public static int between(String from, String to) {
        int[] beforeLast = new int[to.length() + 1];
        int[] last = new int[to.length() + 1];
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] oldest = beforeLast;
            beforeLast = last;
            last = row;
            row = oldest;
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = last[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(last[j], row[j - 1]));
                if (isSwapped(from, i, to, j)) {
                    row[j] = Math.min(row[j], 1 + beforeLast[j - 2]);
                }
            }
        }
        return row[to.length()];
    }

    private static boolean isSwapped(String from, int i, String to, int j) {
        return i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
    }
}
