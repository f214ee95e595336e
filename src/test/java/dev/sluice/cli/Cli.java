package dev.sluice.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs the command line as a shell would, and catches what it prints. */
public record Cli(int code, String out, String err) {

    public static Cli run(Object... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = SluiceCommand.with().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
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
