import { createHash } from "node:crypto";
import { decodeJwt } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Cluster, createCluster, createIssuer, type Issuer, VirtualClock } from "../../src/index.ts";
import { fetchFromIssuer, type IssuerServing, serve, serveIssuer } from "../../src/transports/node/node.ts";
import { clients, whoIs } from "./clients.ts";

let clock: VirtualClock;
let issuer: Issuer;
beforeEach(() => {
  clock = new VirtualClock("2026-01-01T00:00:00Z");
  issuer = createIssuer({ clock, algorithm: "ES256", claims: { sub: "alice", groups: ["dev"] } });
});

/** Sends a form to an endpoint. */
// biome-ignore lint/suspicious/noExplicitAny: the answer of the issuer
async function post(path: string, form: Record<string, string>): Promise<any> {
  const response = await issuer.fetch(`${issuer.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form).toString(),
  });
  return response.json();
}

const redirectUri = "http://localhost:8000/callback";

async function authorize(parameters: Record<string, string> = {}): Promise<URL> {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "kubernetes",
    redirect_uri: redirectUri,
    state: "s",
    ...parameters,
  });
  const response = await issuer.fetch(`${issuer.url}/authorize?${query}`);
  expect(response.status).toBe(302);
  return new URL(response.headers.get("location") ?? "");
}

describe("the authorization code flow", () => {
  const exchange = (code: string, rest: Record<string, string> = {}) =>
    post("/token", { grant_type: "authorization_code", code, redirect_uri: redirectUri, ...rest });

  test("gives an ID token for the user who signs in, and a refresh token for more", async () => {
    const { searchParams } = await authorize({ nonce: "n" });
    expect(searchParams.get("state")).toBe("s");
    const tokens = await exchange(searchParams.get("code") ?? "");
    expect(tokens).toMatchObject({ token_type: "Bearer", expires_in: 3600 });
    const now = Date.UTC(2026, 0, 1) / 1000;
    expect(decodeJwt(tokens.id_token)).toEqual({
      iss: issuer.url,
      sub: "alice",
      groups: ["dev"],
      aud: "kubernetes",
      nonce: "n",
      iat: now,
      exp: now + 3600,
    });
    await clock.advance("1h");
    const refresh = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
    const next = await post("/token", refresh);
    expect(decodeJwt(next.id_token)).toMatchObject({ sub: "alice", exp: now + 7200 });
    await issuer.revoke();
    expect(await post("/token", refresh)).toEqual({ error: "invalid_grant" });
  });

  test("accepts a code once, within ten minutes, from the client that asked for it", async () => {
    const codeOf = async (parameters = {}) => (await authorize(parameters)).searchParams.get("code") ?? "";
    const code = await codeOf();
    expect(await exchange(code)).toHaveProperty("id_token");
    const refused = { error: "invalid_grant" };
    expect(await exchange(code)).toEqual(refused);
    expect(await exchange(await codeOf(), { redirect_uri: "http://other" })).toEqual(refused);
    const late = await codeOf();
    await clock.advance("10m");
    expect(await exchange(late)).toEqual(refused);
    const verifier = "v".repeat(43);
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
    expect(await exchange(await codeOf(pkce), { code_verifier: "x" })).toEqual(refused);
    expect(await exchange(await codeOf(pkce), { code_verifier: verifier })).toHaveProperty("id_token");
  });

  test("refuses what it does not know", async () => {
    const unsupported = await authorize({ response_type: "token" });
    expect(unsupported.searchParams.get("error")).toBe("unsupported_response_type");
    expect(await post("/token", { grant_type: "password" })).toEqual({ error: "unsupported_grant_type" });
    const script = `${issuer.url}/authorize?client_id=c&redirect_uri=javascript:alert(1)`;
    expect((await issuer.fetch(script)).status).toBe(400);
    expect((await issuer.fetch(`${issuer.url}/other`)).status).toBe(404);
    expect((await issuer.fetch("https://elsewhere.test/keys")).status).toBe(404);
    const long = { method: "POST", body: "a".repeat(65 * 1024) };
    expect((await issuer.fetch(`${issuer.url}/token`, long)).status).toBe(413);
  });
});

describe("the device flow", () => {
  const poll = (device_code: string) =>
    post("/token", { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code });

  test("waits until the user signs in at the address", async () => {
    const device = await post("/device", { client_id: "kubernetes" });
    expect(device).toMatchObject({ verification_uri: `${issuer.url}/device`, expires_in: 600, interval: 1 });
    expect(await poll(device.device_code)).toEqual({ error: "authorization_pending" });
    issuer.signIn({ sub: "bob" });
    expect((await issuer.fetch(device.verification_uri_complete)).status).toBe(200);
    const { id_token } = await poll(device.device_code);
    expect(decodeJwt(id_token)).toMatchObject({ sub: "bob", aud: "kubernetes" });
    expect(await poll(device.device_code)).toEqual({ error: "invalid_grant" });
  });

  test("ends after ten minutes", async () => {
    const device = await post("/device", { client_id: "kubernetes" });
    await clock.advance("10m");
    expect(await poll(device.device_code)).toEqual({ error: "expired_token" });
    await expect(issuer.approveDevice(device.user_code)).rejects.toThrow("no device shows the code");
  });

  test("can be approved by the test", async () => {
    const device = await post("/device", { client_id: "kubernetes" });
    await issuer.approveDevice(device.user_code);
    expect(await poll(device.device_code)).toHaveProperty("id_token");
  });
});

test.each([
  ["a URL without TLS", { url: "http://a" }, "createIssuer: url must be a URL that begins with https://"],
  ["an unknown algorithm", { algorithm: "HS256" }, 'createIssuer: algorithm must be "RS256"'],
  ["an unknown option", { claim: {} }, 'createIssuer: unknown option "claim"; did you mean "claims"?'],
])("%s is an error", (_title, options, message) => {
  // Calls from JavaScript can pass anything.
  expect(() => createIssuer(options as Parameters<typeof createIssuer>[0])).toThrow(message);
});

describe("an issuer on a port", () => {
  let serving: IssuerServing;
  const clusters: Cluster[] = [];
  beforeEach(async () => {
    serving = await serveIssuer(issuer);
  });
  afterEach(async () => {
    await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
    await serving.close();
  });

  const trusting = (oidcCa: string): Cluster => {
    const cluster = createCluster({
      clock,
      controllers: [],
      authorizationMode: "RBAC",
      oidcIssuerUrl: serving.url,
      oidcClientId: "kubernetes",
      oidcUsernamePrefix: "-",
      oidcGroupsClaim: "groups",
      oidcSigningAlgs: ["ES256"],
      oidcCa,
      oidcFetch: fetchFromIssuer,
    });
    clusters.push(cluster);
    return cluster;
  };

  test("authenticates the clients of a cluster on a port", async () => {
    expect(issuer.url).toBe(serving.url);
    const port = await serve(trusting(serving.caCertificate));
    try {
      const { id_token: token } = await issuer.tokens();
      const wrong = await issuer.token({ signature: "wrong" });
      for (const [, ask] of clients) {
        expect(await whoIs(ask, port, { token })).toEqual({
          username: "alice",
          groups: ["dev", "system:authenticated"],
        });
        expect(await whoIs(ask, port, { token: wrong })).toBe(401);
      }
    } finally {
      await port.close();
    }
  });

  test("is asked for its discovery document when the port of a cluster opens, not when the cluster is created", async () => {
    const asked: string[] = [];
    let first = () => {};
    const isAsked = new Promise<void>((resolve) => {
      first = resolve;
    });
    const cluster = createCluster({
      clock,
      controllers: [],
      oidcIssuerUrl: issuer.url,
      oidcClientId: "kubernetes",
      oidcSigningAlgs: ["ES256"],
      oidcFetch: (url) => {
        asked.push(new URL(url).pathname);
        first();
        return issuer.fetch(url);
      },
    });
    clusters.push(cluster);
    await cluster.list("v1", "Pod");
    expect(asked).toEqual([]);
    const port = await serve(cluster);
    const other = await serve(cluster);
    try {
      await isAsked;
      expect(asked).toEqual(["/.well-known/openid-configuration"]);
      const token = await issuer.token();
      for (const [, ask] of clients) {
        expect(await whoIs(ask, port, { token })).toMatchObject({ username: `${issuer.url}#alice` });
      }
      expect(asked).toEqual(["/.well-known/openid-configuration", "/keys"]);
    } finally {
      await Promise.all([port.close(), other.close()]);
    }
  });

  test("that is down when a port opens delays no start, and is asked again ten seconds later", async () => {
    let isDown = true;
    const cluster = createCluster({
      clock,
      controllers: [],
      oidcIssuerUrl: issuer.url,
      oidcClientId: "kubernetes",
      oidcSigningAlgs: ["ES256"],
      oidcFetch: async (url) => {
        if (isDown) throw new Error("connect ECONNREFUSED");
        return issuer.fetch(url);
      },
    });
    clusters.push(cluster);
    const port = await serve(cluster);
    try {
      const headers = { authorization: `Bearer ${await issuer.token()}` };
      const ask = async () => (await cluster.fetch("https://x/api", { headers })).status;
      expect(await ask()).toBe(401);
      isDown = false;
      expect(await ask()).toBe(401);
      await clock.advance("10s");
      expect(await ask()).toBe(200);
    } finally {
      await port.close();
    }
  });

  test("is not trusted without its authority", async () => {
    const other = await serveIssuer(createIssuer());
    const cluster = trusting(other.caCertificate);
    await other.close();
    const headers = { authorization: `Bearer ${await issuer.token()}` };
    expect((await cluster.fetch("https://x/api", { headers })).status).toBe(401);
  });

  test("takes forms, and refuses large ones", async () => {
    const form = { grant_type: "refresh_token", refresh_token: (await issuer.tokens()).refresh_token };
    const { request } = await import("node:https");
    const send = (body: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const sent = request(
          `${serving.url}/token`,
          {
            method: "POST",
            ca: serving.caCertificate,
            agent: false,
            headers: { "content-type": "application/x-www-form-urlencoded" },
          },
          (response) => resolve(response.resume().statusCode),
        );
        sent.on("error", reject);
        sent.end(body);
      });
    expect(await send(new URLSearchParams(form).toString())).toBe(200);
    expect(await send("a".repeat(65 * 1024))).toBe(413);
  });

  test("does not take a path for a host", async () => {
    const response = await fetchFromIssuer(`${serving.url}//evil.test/keys`, {
      certificateAuthority: serving.caCertificate,
    });
    expect(response.status).toBe(404);
  });
});
