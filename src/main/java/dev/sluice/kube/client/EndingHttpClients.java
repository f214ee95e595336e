package dev.sluice.kube.client;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Creates HTTP clients whose threads end when the Kubernetes client is closed. Fabric8 7.8 does not close its HTTP
 * client, so the client's selector thread would run until a garbage collection, and the end of the JVM would wait 0.3 s
 * for that thread.
 */
final class EndingHttpClients extends JdkHttpClientFactory {

    private final List<HttpClient> built = new CopyOnWriteArrayList<>();

    @Override
    protected HttpClient.Builder createNewHttpClientBuilder() {
        return new NotingBuilder(super.createNewHttpClientBuilder());
    }

    /**
     * Closes the HTTP client. Clients that are derived from each other share one HTTP client and are closed together.
     */
    @Override
    protected void closeHttpClient(JdkHttpClientImpl client) {
        super.closeHttpClient(client);
        built.forEach(HttpClient::shutdownNow);
    }

    /** A builder that remembers the HTTP client that it has built, because fabric8 gives no access to the client. */
    private final class NotingBuilder implements HttpClient.Builder {

        private final HttpClient.Builder builder;

        NotingBuilder(HttpClient.Builder builder) {
            this.builder = builder;
        }

        @Override
        public HttpClient build() {
            HttpClient client = builder.build();
            built.add(client);
            return client;
        }

        @Override
        public HttpClient.Builder cookieHandler(CookieHandler cookies) {
            builder.cookieHandler(cookies);
            return this;
        }

        @Override
        public HttpClient.Builder connectTimeout(Duration longest) {
            builder.connectTimeout(longest);
            return this;
        }

        @Override
        public HttpClient.Builder sslContext(SSLContext context) {
            builder.sslContext(context);
            return this;
        }

        @Override
        public HttpClient.Builder sslParameters(SSLParameters parameters) {
            builder.sslParameters(parameters);
            return this;
        }

        @Override
        public HttpClient.Builder executor(Executor executor) {
            builder.executor(executor);
            return this;
        }

        @Override
        public HttpClient.Builder followRedirects(HttpClient.Redirect redirects) {
            builder.followRedirects(redirects);
            return this;
        }

        @Override
        public HttpClient.Builder version(HttpClient.Version version) {
            builder.version(version);
            return this;
        }

        @Override
        public HttpClient.Builder priority(int priority) {
            builder.priority(priority);
            return this;
        }

        @Override
        public HttpClient.Builder proxy(ProxySelector proxies) {
            builder.proxy(proxies);
            return this;
        }

        @Override
        public HttpClient.Builder authenticator(Authenticator authenticator) {
            builder.authenticator(authenticator);
            return this;
        }

        @Override
        public HttpClient.Builder localAddress(InetAddress address) {
            builder.localAddress(address);
            return this;
        }
    }
}
