import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { createIssuer, VirtualClock } from "../../src/index.ts";
import { fetchFromIssuer, serveIssuer } from "../../src/transports/node/node.ts";
import { describeKubectl, ended } from "./kubectl.ts";

// Time stands still, but kubectl and the plugin compare the ends of tokens with their own clocks.
const clock = new VirtualClock(new Date(Math.ceil(Date.now() / 1000) * 1000).toISOString());
const issuer = createIssuer({ clock, algorithm: "ES256", claims: { sub: "alice", groups: ["dev"] } });
/** What clients have asked for: paths, and grants of tokens. */
const asked: string[] = [];
const issuing = await serveIssuer({
  fetch: (url, request) => {
    const grant = new URLSearchParams(request.body).get("grant_type");
    asked.push(grant ?? new URL(url).pathname);
    return issuer.fetch(url, request);
  },
  moveTo: (url) => issuer.moveTo(url),
});
afterAll(() => issuing.close());

const program = fileURLToPath(new URL("programs/oidc-login.mjs", import.meta.url));
const logins = ["/authorize", "/device", "authorization_code", "refresh_token"];

describeKubectl(
  "kubectl with a plugin that logs in with OpenID Connect",
  ({ cluster, file, kubectl, start, run }) => {
    /** A kubeconfig with the plugin, whose clock is ahead by these seconds. Its file of tokens is the second result. */
    async function kubeconfigOf(flow: string, ahead = 0): Promise<readonly [path: string, tokens: string]> {
      const { clusters } = JSON.parse(await kubectl("config view --raw -o json"));
      const { server, "certificate-authority-data": certificateAuthorityData } = clusters[0].cluster;
      const authority = file("issuer.crt", issuing.caCertificate);
      const tokens = authority.replace("issuer.crt", `${flow}.json`);
      const exec = {
        command: process.execPath,
        args: [program, flow, issuer.url, "kubernetes", tokens],
        env: { NODE_EXTRA_CA_CERTS: authority, AHEAD: String(ahead) },
      };
      const text = cluster.kubeconfig({ server, certificateAuthorityData, exec });
      return [file(`${flow}.yaml`, text), tokens];
    }

    /** Who the server says that the user of a kubeconfig is: nobody here may read secrets. */
    const userIn = (stderr: string): string | undefined => /User "([^"]*)" cannot get/.exec(stderr)?.[1];
    const userOf = async (kubeconfig: string): Promise<string | undefined> =>
      userIn((await run(`get secret s --kubeconfig=${kubeconfig}`)).stderr);
    /** What clients ask for from now on, but for documents. */
    const loginsSince = (first: number): readonly string[] =>
      asked.slice(first).filter((path) => logins.includes(path));

    test("in the browser, refreshes the token when it has expired, and logs in again when it may not", async () => {
      const first = asked.length;
      const [kubeconfig] = await kubeconfigOf("browser");
      expect(await userOf(kubeconfig)).toBe("alice");
      expect(loginsSince(first)).toEqual(["/authorize", "authorization_code"]);
      expect(await userOf(kubeconfig)).toBe("alice");
      expect(loginsSince(first)).toHaveLength(2);

      await clock.advance("1h1s");
      const [refreshing, tokens] = await kubeconfigOf("browser", 3601);
      const before = readFileSync(tokens, "utf8");
      expect(await userOf(refreshing)).toBe("alice");
      expect(loginsSince(first).slice(2)).toEqual(["refresh_token"]);
      expect(readFileSync(tokens, "utf8")).not.toBe(before);

      await issuer.revoke();
      issuer.signIn({ sub: "bob" });
      await clock.advance("1h1s");
      const [again] = await kubeconfigOf("browser", 2 * 3601);
      expect(await userOf(again)).toBe("bob");
      expect(loginsSince(first).slice(3)).toEqual(["refresh_token", "/authorize", "authorization_code"]);
      issuer.signIn({ sub: "alice", groups: ["dev"] });
    });

    test("on a device, waits until the user signs in at the address that it shows", async () => {
      const ahead = Math.ceil((clock.now() - Date.now()) / 1000);
      const [kubeconfig, tokens] = await kubeconfigOf("device", ahead);
      const child = start(`get secret s --kubeconfig=${kubeconfig}`);
      let shown = "";
      child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
        shown += piece;
      });
      const end = ended(child);
      await expect.poll(() => shown, { timeout: 30_000 }).toMatch(/Sign in at \S+\n/);
      expect(existsSync(tokens)).toBe(false);
      const [, address = ""] = /Sign in at (\S+)\n/.exec(shown) ?? [];
      expect((await fetchFromIssuer(address, { certificateAuthority: issuing.caCertificate })).status).toBe(
        200,
      );
      expect(userIn((await end).stderr)).toBe("alice");
    });
  },
  {
    clock,
    authorizationMode: "RBAC",
    oidcIssuerUrl: issuing.url,
    oidcClientId: "kubernetes",
    oidcUsernamePrefix: "-",
    oidcGroupsClaim: "groups",
    oidcSigningAlgs: ["ES256"],
    oidcCa: issuing.caCertificate,
    oidcFetch: fetchFromIssuer,
  },
);
