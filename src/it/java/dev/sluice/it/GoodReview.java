package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An ordinary review of about 5 KB: a pod that asks for {@code nvidia.com/mig-3g.40gb}, which a
 * {@link GeneratedCluster} does not offer, so that the shipped chains give it {@code nvidia.com/mig-2g.20gb}.
 */
record GoodReview(String uid) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DEVICES = "\"cpu\":\"8\",\"memory\":\"64Gi\",\"nvidia.com/mig-3g.40gb\":\"1\"";
    private static final int VARIABLES = 24;

    static GoodReview next() {
        return new GoodReview(UUID.randomUUID().toString());
    }

    byte[] body() {
        return """
            {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"%s",\
            "kind":{"group":"","version":"v1","kind":"Pod"},\
            "resource":{"group":"","version":"v1","resource":"pods"},\
            "requestKind":{"group":"","version":"v1","kind":"Pod"},\
            "requestResource":{"group":"","version":"v1","resource":"pods"},\
            "namespace":"team-%d","operation":"CREATE","userInfo":{"username":"somebody","uid":"%s"},\
            "object":{"kind":"Pod","apiVersion":"v1","metadata":{"generateName":"train-","creationTimestamp":null,\
            "labels":{"app":"trainer"},"managedFields":[{"manager":"kubectl","operation":"Update","apiVersion":"v1",\
            "fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:containers":{"k:{\\"name\\":\\"train\\"}":{%s}}}}}]},\
            "spec":{"containers":[{"name":"train","image":"registry.example.com/trainer:1","env":[%s],\
            "resources":{"limits":{%s},"requests":{%s}},"terminationMessagePath":"/dev/termination-log",\
            "imagePullPolicy":"IfNotPresent"}],"restartPolicy":"Never","dnsPolicy":"ClusterFirst",\
            "schedulerName":"default-scheduler","enableServiceLinks":true},"status":{}},\
            "oldObject":null,"dryRun":false,"options":{"kind":"CreateOptions","apiVersion":"meta.k8s.io/v1"}}}""".formatted(
                        uid,
                        ThreadLocalRandom.current().nextInt(40),
                        UUID.randomUUID(),
                        each("\"k:{\\\"name\\\":\\\"SETTING_%d_%s\\\"}\":{\".\":{},\"f:name\":{}}"),
                        each("{\"name\":\"SETTING_%d\",\"value\":\"%s\"}"),
                        DEVICES,
                        DEVICES)
                .getBytes(UTF_8);
    }

    private static String each(String form) {
        return IntStream.range(0, VARIABLES)
                .mapToObj(at -> form.formatted(at, UUID.randomUUID()))
                .collect(Collectors.joining(","));
    }

    /** What is wrong with an answer to it, or nothing. */
    Optional<String> problem(RawConnection.Answer answer) throws IOException {
        if (answer.status() != 200) {
            return Optional.of(answer.status() + ": " + answer.body());
        }
        JsonNode response = JSON.readTree(answer.body()).path("response");
        String patch = new String(
                response.path("patch").binaryValue() == null
                        ? new byte[0]
                        : response.path("patch").binaryValue(),
                UTF_8);
        boolean right = response.path("uid").asText().equals(uid)
                && response.path("allowed").asBoolean()
                && patch.contains("3g.40gb->2g.20gb")
                && patch.contains("/spec/containers/0/resources/limits/nvidia.com~1mig-2g.20gb")
                && patch.contains("/spec/containers/0/resources/requests/nvidia.com~1mig-2g.20gb");
        return right ? Optional.empty() : Optional.of("not the right answer: " + answer.body() + ' ' + patch);
    }
}
