package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/** A program that ends by itself, run to its end. */
record Command(Path directory, List<String> words, Map<String, String> environment, String input) {

    /** How it ended. */
    record Ended(int code, String output, String complaint) {}

    static Command in(Path directory, String... words) {
        return in(directory, List.of(words));
    }

    static Command in(Path directory, List<String> words) {
        return new Command(directory, List.copyOf(words), Map.of(), "");
    }

    Command with(String variable, String value) {
        return new Command(directory, words, Map.of(variable, value), input);
    }

    Command within(Path other) {
        return new Command(other, words, environment, input);
    }

    Command reading(String standardInput) {
        return new Command(directory, words, environment, standardInput);
    }

    /** What it wrote, if it ended well. */
    String output() {
        Ended ended = run();
        if (ended.code() != 0) {
            throw new AssertionError(
                    String.join(" ", words) + " ended with " + ended.code() + ": " + ended.complaint());
        }
        return ended.output();
    }

    Ended run() {
        ProcessBuilder builder = new ProcessBuilder(words).directory(directory.toFile());
        builder.environment().putAll(environment);
        // A virtual thread that waits for the output of a process takes one of the few threads that carry all of them.
        try (var reading =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            Process process = builder.start();
            CompletableFuture<String> complaint =
                    CompletableFuture.supplyAsync(() -> text(process.getErrorStream()), reading);
            CompletableFuture<String> output =
                    CompletableFuture.supplyAsync(() -> text(process.getInputStream()), reading);
            try (var standardInput = process.getOutputStream()) {
                standardInput.write(input.getBytes(UTF_8));
            }
            return new Ended(process.waitFor(), output.get(), complaint.get());
        } catch (IOException | ExecutionException e) {
            throw new AssertionError(words.getFirst() + " could not be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(words.getFirst() + " was interrupted", e);
        }
    }

    private static String text(InputStream stream) {
        try {
            return new String(stream.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new AssertionError("a program's output could not be read", e);
        }
    }
}
