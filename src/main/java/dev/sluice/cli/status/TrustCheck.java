package dev.sluice.cli.status;

import dev.sluice.api.InstallationStatusDocument.CheckSubject;
import dev.sluice.api.InstallationStatusDocument.StatusCheck;
import dev.sluice.text.CountText;
import dev.sluice.text.NameList;
import dev.sluice.tls.CertificateNames;
import dev.sluice.tls.PemFile;
import dev.sluice.tls.PemFile.UnusableFileException;
import dev.sluice.tls.selfmanaged.WebhookCaBundle;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks whether the API server trusts the certificates that the gateway serves. A decision in the dry run proves this
 * for one replica only. Therefore the caBundle is compared with the certificate chain of each replica. The comparison
 * also shows why a call has failed.
 *
 * @param webhooks the registered webhooks that call these replicas; empty if they are not known
 */
record TrustCheck(List<RegisteredWebhook> webhooks, List<StatusReplicaReport> reports, Instant now) {

    private static final String RENEW = "sluice certs show --secret; with tls.mode self-managed the replicas put the"
            + " caBundle right within a minute, or their log says why not; otherwise run tls/make-certs.sh, or see the"
            + " log of cert-manager";

    private static final int MOST = 5;

    StatusCheck of(DryRunResult probe) {
        List<String> distrusted = new ArrayList<>();
        List<String> trusted = new ArrayList<>();
        webhooks.stream()
                .filter(known -> known.serviceNamespace().isPresent()
                        || !known.trust().authorities().isEmpty())
                .forEach(known -> reports.forEach(report -> compare(known, report, trusted, distrusted)));
        if (!distrusted.isEmpty()) {
            return StatusCheck.fail(
                    CheckSubject.TRUST, "the API server refuses " + NameList.of(distrusted, MOST), RENEW);
        }
        String compared = trusted.isEmpty()
                ? ""
                : "; the caBundle verifies the chain of "
                        + NameList.of(trusted.stream().distinct().toList(), MOST);
        return switch (probe) {
            case DryRunResult.ProbeDecided _ ->
                StatusCheck.ok(
                        CheckSubject.TRUST,
                        "the API server has just called the gateway and accepted its certificate" + compared
                                + bundle());
            case DryRunResult.ProbeCallFailed(String why, String _) ->
                why.contains("x509") || why.contains("tls:")
                        ? StatusCheck.fail(CheckSubject.TRUST, "the API server refuses the certificate: " + why, RENEW)
                        : unknown("the API server did not come as far as to check the certificate", compared);
            case DryRunResult.ProbeUndecided _, DryRunResult.ProbeNotTried _ ->
                isWithoutAuthority()
                        ? StatusCheck.fail(
                                CheckSubject.TRUST, "the caBundle of the webhook holds no certificate", RENEW)
                        : unknown("it is not proved that the API server accepts the certificate", compared);
        };
    }

    private static StatusCheck unknown(String why, String compared) {
        return StatusCheck.unknown(
                CheckSubject.TRUST, why + compared, "sluice certs show --secret compares the stored certificates");
    }

    /**
     * Returns true if a webhook calls a Service but has no certificate in its caBundle. The API server then cannot
     * trust the gateway. A webhook with a URL needs no caBundle, because the API server then trusts the root
     * certificates of its own machine.
     */
    private boolean isWithoutAuthority() {
        return webhooks.stream()
                .filter(known -> known.serviceNamespace().isPresent())
                .anyMatch(known -> known.trust().authorities().isEmpty());
    }

    private String bundle() {
        return webhooks.stream()
                .findFirst()
                .map(RegisteredWebhook::trust)
                .filter(trust -> !trust.authorities().isEmpty())
                .map(trust -> "; the caBundle holds "
                        + CountText.of(trust.authorities().size(), "authority", "authorities") + ", valid until "
                        + trust.authorities().stream()
                                .map(authority -> authority.getNotAfter().toInstant())
                                .max(Instant::compareTo)
                                .orElseThrow())
                .orElse("");
    }

    private void compare(
            RegisteredWebhook known, StatusReplicaReport report, List<String> trusted, List<String> distrusted) {
        String pem = report.status()
                .map(told -> told.at("/certificate/chain").asText(""))
                .orElse("");
        if (pem.isEmpty()) {
            return;
        }
        try {
            List<X509Certificate> chain = new PemFile(Path.of("chain"), pem).certificates();
            Optional<String> problem = problem(known, chain);
            problem.ifPresentOrElse(
                    why -> distrusted.add("what " + report.name() + " serves"
                            + (webhooks.size() == 1 ? "" : " to the webhook of " + known.configuration()) + ": " + why),
                    () -> trusted.add(report.name()));
        } catch (UnusableFileException unreadable) {
            distrusted.add("what " + report.name() + " serves: it cannot be read");
        }
    }

    private Optional<String> problem(RegisteredWebhook known, List<X509Certificate> chain) {
        WebhookCaBundle bundle = known.trust();
        if (!bundle.trusts(chain, now)) {
            return Optional.of(bundle.distrust());
        }
        return known.host()
                .filter(host -> !CertificateNames.of(chain.getFirst()).cover(host))
                .map(host -> "its certificate is not for " + host);
    }
}
