import {
  type Cluster,
  type ClusterOptions,
  createCluster,
  createIssuer,
  type Issuer,
  type JsonObject,
  VirtualClock,
} from "../../src/index.ts";
import { tokenExpired } from "../../src/scenario/presets.ts";
import { type Authority, createAuthority } from "../../src/transports/node/certificates.ts";
import type { Credentials } from "./clients.ts";

/** A cluster with every method of authentication, and what tests do to its credentials. */
export interface World {
  readonly cluster: Cluster;
  readonly authority: Authority;
  readonly issuer: Issuer;
  /** The authority of proxies. */
  readonly proxies: Authority;
  /** The users of the tokens that the webhook knows. */
  readonly reviewed: Map<string, string>;
  /** Changes the authorities that are trusted: those of `--client-ca-file`. */
  trust(authority: Authority): void;
  /** The same for `--requestheader-client-ca-file`. */
  trustProxies(authority: Authority): void;
}

/** A method, and how its credentials come to an end. A way that the method does not have is undefined. */
export interface Method {
  readonly username: string;
  readonly right: (world: World) => Promise<Credentials>;
  readonly wrong: (world: World) => Promise<Credentials>;
  readonly expired: (world: World) => Promise<Credentials>;
  readonly revoked: ((world: World) => Promise<Credentials>) | undefined;
  /** Only connections with TLS have certificates. */
  readonly needsTls?: true;
}

/** The time after which a token that was valid is verified again. */
const remembered = "11s";

let count = 0;
function newName(): string {
  count += 1;
  return `n${count}`;
}

/** A cluster in which all methods work. */
export function createWorld(options: ClusterOptions = {}): World {
  const authority = createAuthority();
  const proxies = createAuthority();
  let trusted = authority;
  let trustedProxies = proxies;
  const clock = new VirtualClock("2030-01-01T00:00:00Z");
  // Its keys take no time, unlike those of RSA.
  const issuer = createIssuer({ clock, algorithm: "ES256" });
  const reviewed = new Map<string, string>();
  const cluster = createCluster({
    clock,
    oidcIssuerUrl: issuer.url,
    oidcClientId: "kubernetes",
    oidcSigningAlgs: ["ES256"],
    oidcFetch: issuer.fetch,
    authenticationTokenWebhookCacheTtl: "0s",
    authenticationTokenWebhookConfig: (review) => {
      const { token } = review["spec"] as { readonly token: string };
      const username = reviewed.get(token);
      return {
        ...review,
        status: username === undefined ? {} : { authenticated: true, user: { username } },
      };
    },
    requestheaderClientCa: () => trustedProxies.certificate,
    requestheaderAllowedNames: ["proxy"],
    requestheaderUsernameHeaders: ["X-Remote-User"],
    authorizationMode: "RBAC",
    tokens: { "of-the-file": { name: "carol" } },
    enableBootstrapTokenAuth: true,
    clientCa: () => trusted.certificate,
    ...options,
  });
  const trust = (other: Authority) => {
    trusted = other;
  };
  const trustProxies = (other: Authority) => {
    trustedProxies = other;
  };
  return { cluster, authority, issuer, proxies, reviewed, trust, trustProxies };
}

/** Every method that exists. */
export const methods: { readonly [name: string]: Method } = {
  "the token file": {
    username: "carol",
    right: async () => ({ token: "of-the-file" }),
    wrong: async () => ({ token: "of-the-fils" }),
    // The file has no times: the scenario makes it expire.
    expired: async ({ cluster }) => {
      cluster.inject(tokenExpired({ user: "carol" }));
      return { token: "of-the-file" };
    },
    // kube-apiserver reads the file once.
    revoked: undefined,
  },
  "a token of the cluster": {
    username: "dave",
    right: async ({ cluster }) => ({ token: cluster.token("dave") }),
    wrong: async ({ cluster }) => ({ token: cluster.token("dave").slice(1) }),
    expired: async ({ cluster }) => {
      const token = cluster.token("dave", { expirationSeconds: 60 });
      await cluster.clock.advance("60s");
      return { token };
    },
    revoked: undefined,
  },
  "a TokenRequest": {
    username: "system:serviceaccount:default:default",
    right: async ({ cluster }) => ({ token: await requestToken(cluster, {}) }),
    wrong: async ({ cluster }) => ({ token: await requestToken(cluster, { audiences: ["other"] }) }),
    expired: async ({ cluster }) => {
      const token = await requestToken(cluster, { expirationSeconds: 600 });
      await cluster.clock.advance("11m1s");
      return { token };
    },
    revoked: async ({ cluster }) => {
      const name = newName();
      await cluster.create({ apiVersion: "v1", kind: "Secret", metadata: { name } });
      const boundObjectRef = { apiVersion: "v1", kind: "Secret", name };
      const token = await requestToken(cluster, { boundObjectRef });
      await cluster.delete("v1", "Secret", name);
      await cluster.clock.advance(remembered);
      return { token };
    },
  },
  "the token of a Secret": {
    username: "system:serviceaccount:default:default",
    right: async ({ cluster }) => ({ token: (await legacyToken(cluster)).token }),
    wrong: async ({ cluster }) => ({ token: `${(await legacyToken(cluster)).token.slice(0, -8)}AAAAAAAA` }),
    // It has no time, but the cleaner marks it when it has not been used for a year.
    expired: async ({ cluster }) => {
      const { name, token } = await legacyToken(cluster);
      const labels = { "kubernetes.io/legacy-token-invalid-since": "2030-01-01" };
      await cluster.patch("v1", "Secret", name, { metadata: { labels } });
      await cluster.clock.advance(remembered);
      return { token };
    },
    revoked: async ({ cluster }) => {
      const { name, token } = await legacyToken(cluster);
      await cluster.delete("v1", "Secret", name);
      await cluster.clock.advance(remembered);
      return { token };
    },
  },
  "a bootstrap token": {
    username: "system:bootstrap:abcdef",
    right: async ({ cluster }) => ({ token: await bootstrapToken(cluster, "1h") }),
    wrong: async ({ cluster }) => ({ token: `${(await bootstrapToken(cluster, "1h")).slice(0, -1)}x` }),
    expired: async ({ cluster }) => {
      const token = await bootstrapToken(cluster, "1m");
      await cluster.clock.advance("1m11s");
      return { token };
    },
    revoked: async ({ cluster }) => {
      const token = await bootstrapToken(cluster, "1h");
      await cluster.delete("v1", "Secret", "bootstrap-token-abcdef", { namespace: "kube-system" });
      await cluster.clock.advance(remembered);
      return { token };
    },
  },
  "a client certificate": {
    username: "erin",
    needsTls: true,
    right: async ({ cluster }) => ({ certificate: await cluster.certificate("erin") }),
    wrong: async () => ({ certificate: certificateOf(createAuthority()) }),
    expired: async ({ cluster }) => {
      const certificate = await cluster.certificate("erin", { expirationSeconds: 60 });
      await cluster.clock.advance("61s");
      return { certificate };
    },
    revoked: async ({ authority, trust }) => {
      const certificate = certificateOf(authority);
      trust(createAuthority());
      return { certificate };
    },
  },
  "an ID token": {
    username: "https://issuer.test#frank",
    right: async ({ issuer }) => ({ token: await issuer.token({ claims: { sub: "frank" } }) }),
    wrong: async ({ issuer }) => ({ token: await issuer.token({ signature: "wrong" }) }),
    expired: async ({ cluster, issuer }) => {
      const token = await issuer.token({ expiresIn: "1m" });
      await cluster.clock.advance("61s");
      return { token };
    },
    // A token by the new key has the server fetch the keys.
    revoked: async ({ cluster, issuer }) => {
      const token = await issuer.token({ claims: { jti: newName() } });
      await issuer.rotateKeys();
      await reviewOf(cluster, await issuer.token());
      return { token };
    },
  },
  "a token that a webhook knows": {
    username: "grace",
    right: async (world) => ({ token: reviewedToken(world) }),
    wrong: async (world) => ({ token: `${reviewedToken(world)}x` }),
    // The answer of a webhook has no time: the scenario makes the token expire.
    expired: async (world) => {
      world.cluster.inject(tokenExpired({ user: "grace" }));
      return { token: reviewedToken(world) };
    },
    revoked: async (world) => {
      const token = reviewedToken(world);
      world.reviewed.delete(token);
      return { token };
    },
  },
  "a proxy": {
    username: "heidi",
    needsTls: true,
    right: async ({ proxies }) => proxied(proxies),
    wrong: async () => proxied(createAuthority()),
    expired: async ({ cluster, proxies }) => {
      cluster.inject(tokenExpired({ user: "heidi" }));
      return proxied(proxies);
    },
    revoked: async ({ proxies, trustProxies }) => {
      trustProxies(createAuthority());
      return proxied(proxies);
    },
  },
};

/** What a proxy sends for a user. */
function proxied(authority: Authority): Credentials {
  const certificate = authority.issue({ commonName: "proxy", usage: "client" });
  return { certificate, headers: { "X-Remote-User": "heidi" } };
}

/** A token of the user that the webhook names. */
function reviewedToken({ reviewed }: World): string {
  const token = `webhook-${newName()}`;
  reviewed.set(token, "grace");
  return token;
}

/** Has the server look at a token. */
function reviewOf(cluster: Cluster, token: string): Promise<unknown> {
  return cluster.create({
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenReview",
    metadata: {},
    spec: { token },
  });
}

function certificateOf(authority: Authority) {
  return authority.issue({ commonName: "erin", usage: "client" });
}

/** A token of the account `default`. */
async function requestToken(cluster: Cluster, spec: JsonObject): Promise<string> {
  const created = await cluster.create(
    { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata: { name: "default" }, spec },
    { subresource: "token", namespace: "default" },
  );
  const { status } = created as unknown as { readonly status: { readonly token: string } };
  return status.token;
}

async function legacyToken(cluster: Cluster): Promise<{ readonly name: string; readonly token: string }> {
  const name = newName();
  const annotations = { "kubernetes.io/service-account.name": "default" };
  const type = "kubernetes.io/service-account-token";
  await cluster.create({ apiVersion: "v1", kind: "Secret", metadata: { name, annotations }, type });
  await cluster.settle();
  const { data } = (await cluster.get("v1", "Secret", name)) as unknown as { data: { token: string } };
  return { name, token: atob(data.token) };
}

/** A bootstrap token that lives for a while. */
async function bootstrapToken(cluster: Cluster, life: "1m" | "1h"): Promise<string> {
  const expiration = new Date(cluster.clock.now() + (life === "1m" ? 60_000 : 3_600_000)).toISOString();
  await cluster.apply(
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "bootstrap-token-abcdef", namespace: "kube-system" },
      type: "bootstrap.kubernetes.io/token",
      stringData: {
        "token-id": "abcdef",
        "token-secret": "0123456789abcdef",
        "usage-bootstrap-authentication": "true",
        expiration,
      },
    },
    { fieldManager: "test", force: true },
  );
  return "abcdef.0123456789abcdef";
}
