package dev.sluice.bus.message;

/** Whether reviews are decided here at the moment; {@code why} not, empty while they are. */
public record Deciding(String why) {

    public static final Deciding NOW = new Deciding("");

    public boolean now() {
        return why.isEmpty();
    }
}
