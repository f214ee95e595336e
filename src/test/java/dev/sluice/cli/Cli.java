package dev.sluice.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs the command line as a shell would, and catches what it prints. */
public record Cli(int code, String out, String err) {

    public static Cli run(Object... arguments) {
        return run(SluiceCommand.with(), arguments);
    }

    /** Runs a command line that has other commands, too. */
    static Cli run(CommandLine line, Object... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] texts = new String[arguments.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = arguments[i].toString();
        }
        int code = line.execute(texts);
        line.getOut().flush();
        line.getErr().flush();
        return new Cli(code, out.toString(), err.toString());
    }
}
