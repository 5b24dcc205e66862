import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createCluster, createIssuer, VirtualClock } from "../../src/index.ts";
import { type Serving, type ServingKubeconfigOptions, serve } from "../../src/transports/node/serve.ts";
import type { ClientNode } from "./client-node-facts.ts";
import type { CredentialPlugin } from "./credential-plugin.ts";

/** How users of `@kubernetes/client-node` authenticate. */
export function clientCredentials(
  title: string,
  load: () => Promise<ClientNode>,
  plugin: CredentialPlugin,
): void {
  describe(title, () => {
    const clock = new VirtualClock("2030-01-01T00:00:00Z");
    const issuer = createIssuer({ clock });
    const cluster = createCluster({
      clock,
      authorizationMode: "RBAC",
      oidcIssuerUrl: issuer.url,
      oidcClientId: "kubernetes",
      oidcFetch: issuer.fetch,
    });
    const directory = mkdtempSync(join(tmpdir(), "kubedouble-client-node-"));
    let library: ClientNode;
    let serving: Serving;
    beforeAll(async () => {
      library = await load();
      serving = await serve(cluster);
    });
    afterAll(async () => {
      await serving.close();
      await cluster.close();
      rmSync(directory, { recursive: true, force: true });
    });

    afterEach(() => {
      vi.useRealTimers();
      vi.unstubAllEnvs();
      vi.unstubAllGlobals();
    });

    const file = (name: string, content = ""): string => {
      const path = join(directory, name);
      writeFileSync(path, content);
      return path;
    };

    /** A client with a kubeconfig; its call resolves to the username, or to the status of the refusal. */
    const clientOf = (options: ServingKubeconfigOptions): (() => Promise<unknown>) => {
      const config = new library.KubeConfig();
      config.loadFromString(serving.kubeconfig(options));
      return userOf(config);
    };

    const userOf = (config: InstanceType<ClientNode["KubeConfig"]>): (() => Promise<unknown>) => {
      const authentication = config.makeApiClient(library.AuthenticationV1Api);
      return () =>
        authentication.createSelfSubjectReview({ body: {} }).then(
          ({ status }) => status?.userInfo?.username,
          (error) => error.code ?? error.message,
        );
    };

    test("with a client certificate, until it expires", async () => {
      const certificate = await cluster.certificate("alice", { expirationSeconds: 600 });
      const whoAmI = clientOf({ certificate });
      expect(await whoAmI()).toBe("alice");
      await cluster.clock.advance("10m1s");
      expect(await whoAmI()).toBe(401);
    });

    test("with a token", async () => {
      expect(await clientOf({ token: cluster.token("alice") })()).toBe("alice");
      expect(await clientOf({ token: "wrong" })()).toBe(401);
    });

    test("in a cluster, with a token file that is read again", async () => {
      const mounted = "var/run/secrets/kubernetes.io/serviceaccount";
      mkdirSync(join(directory, mounted), { recursive: true });
      file(`${mounted}/ca.crt`, serving.caCertificate);
      file(`${mounted}/namespace`, "default");
      file(`${mounted}/token`, cluster.token("alice"));
      vi.stubEnv("KUBERNETES_SERVICE_HOST", "127.0.0.1");
      vi.stubEnv("KUBERNETES_SERVICE_PORT", String(serving.port));
      vi.useFakeTimers({ toFake: ["Date"] });
      const config = new library.KubeConfig();
      config.loadFromCluster(directory);
      const whoAmI = userOf(config);
      expect(await whoAmI()).toBe("alice");
      file(`${mounted}/token`, cluster.token("bob"));
      expect(await whoAmI()).toBe("alice");
      vi.setSystemTime(Date.now() + 61_000);
      expect(await whoAmI()).toBe("bob");
    });

    test("with a plugin whose tokens expire and change", async () => {
      const calls = file("rotating");
      const [alice, bob] = [cluster.token("alice"), cluster.token("bob")];
      const exec = plugin(
        "--calls",
        calls,
        `credential:token=${alice},lifetime=-1s,times=2`,
        `credential:token=${bob},lifetime=1h`,
      );
      const whoAmI = clientOf({ exec });
      expect([await whoAmI(), await whoAmI(), await whoAmI(), await whoAmI()]).toEqual([
        "alice",
        "alice",
        "bob",
        "bob",
      ]);
      // The third credential is still valid for the fourth request.
      expect(readFileSync(calls, "utf8").trim().split("\n")).toHaveLength(3);
    });

    test("with a plugin that prints a certificate", async () => {
      const { certificate, key } = await cluster.certificate("carol");
      const files = `certificate=${file("carol.crt", certificate)},key=${file("carol.key", key)}`;
      expect(await clientOf({ exec: plugin(`credential:${files},lifetime=1h`) })()).toBe("carol");
    });

    test("with an ID token, which the library refreshes when it has expired", async () => {
      const { id_token: idToken, refresh_token: refreshToken } = await issuer.tokens();
      const config = new library.KubeConfig();
      config.loadFromOptions({
        clusters: [{ name: "c", server: serving.url, caData: btoa(serving.caCertificate) }],
        contexts: [{ name: "c", cluster: "c", user: "alice" }],
        currentContext: "c",
        users: [
          {
            name: "alice",
            authProvider: {
              name: "oidc",
              config: {
                "id-token": idToken,
                "refresh-token": refreshToken,
                "client-id": "kubernetes",
                // The library hands it to openid-client, which refuses text.
                "idp-issuer-url": new URL(issuer.url),
              },
            },
          },
        ],
      });
      const requested: string[] = [];
      vi.stubGlobal("fetch", (...[url, init]: Parameters<typeof issuer.fetch>) => {
        requested.push(new URL(String(url)).pathname);
        return issuer.fetch(url, init);
      });
      vi.useFakeTimers({ toFake: ["Date"], now: clock.now() });
      const whoAmI = userOf(config);
      expect(await whoAmI()).toBe("https://issuer.test#alice");
      expect(requested).toEqual([]);
      await clock.advance("61m");
      vi.setSystemTime(clock.now());
      expect(await clientOf({ token: idToken })()).toBe(401);
      expect(await whoAmI()).toBe("https://issuer.test#alice");
      expect(requested).toEqual(["/.well-known/openid-configuration", "/token"]);
    });

    test.each([
      ["fails", "fail:message=no network", /no network/],
      ["prints nonsense", "print:text=nonsense", /JSON/],
    ])("not with a plugin that %s", async (_title, step, message) => {
      expect(await clientOf({ exec: plugin(step) })()).toMatch(message);
    });
  });
}
