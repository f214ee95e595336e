package dev.sluice.cli;

import picocli.CommandLine.Command;

/** The command {@code sluice certs}, which groups the commands for the certificates of the webhook. */
@Command(
        name = "certs",
        header = "Makes and inspects certificates.",
        description = {
            "",
            "The API server speaks to a webhook over TLS only, and trusts exactly the authority in the"
                    + " caBundle of the webhook configuration. 'make' makes such an authority and a certificate"
                    + " signed by it; 'show' tells what is in a certificate file.",
            ""
        },
        synopsisSubcommandLabel = "(make | show)",
        mixinStandardHelpOptions = true,
        subcommands = {CertsMakeCommand.class, CertsShowCommand.class},
        footer = {
            "",
            "Examples:",
            "  sluice certs make --dir certs         an authority and a pair for gpu-webhook",
            "  sluice certs show certs/tls.crt       whose it is, and how long it lasts",
            "  sluice certs make --help              more examples"
        })
final class CertsCommand {}
