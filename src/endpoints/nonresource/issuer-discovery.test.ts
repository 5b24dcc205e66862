import { describe, expect, test } from "vitest";
import type { Release } from "../../apimachinery/release.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { plainRequest, readResponseBody } from "../../request/plain-request.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { serveIssuerDiscovery } from "./issuer-discovery.ts";

interface Server {
  readonly release?: Release;
  readonly issuers?: readonly string[];
  readonly jwksUri?: string;
  readonly method?: string;
  readonly accept?: string;
}

const keys = [
  { kty: "RSA", alg: "RS256" },
  { kty: "EC", alg: "ES256" },
  { kty: "RSA", alg: "RS256", kid: "2" },
];

async function answer(
  path: string,
  { release = "1.32", issuers, jwksUri, method = "GET", accept }: Server = {},
) {
  const headers = new Map(accept === undefined ? [] : [["accept", accept]]);
  const environment = {
    gates: featureGates(release),
    advertiseAddress: () => "10.0.0.1:6443",
    authentication: {
      serviceAccounts: { issuers: issuers ?? ["https://issuer.test"], jwksUri },
      serviceAccountKeys: { publicKeys: async () => keys },
    },
  };
  // The function reads nothing else.
  const context: Partial<RequestContext> = { path, request: plainRequest({ method, target: path, headers }) };
  const response = await serveIssuerDiscovery(
    context as RequestContext,
    environment as unknown as EndpointEnvironment,
  );
  if (response === undefined) return undefined;
  const text = new TextDecoder().decode(await readResponseBody(response.body));
  return { status: response.status, headers: response.headers, document: JSON.parse(text) };
}

const configurationPath = "/.well-known/openid-configuration";
const keysPath = "/openid/v1/jwks";
const headersOf = (type: string) => [
  ["Cache-Control", "public, max-age=3600"],
  ["Content-Type", type],
];

describe("the discovery of the issuer", () => {
  test.each(["", "/"])("describes it at its path with %j", async (end) => {
    expect(await answer(configurationPath + end)).toEqual({
      status: 200,
      headers: headersOf("application/json"),
      document: {
        issuer: "https://issuer.test",
        jwks_uri: "https://10.0.0.1:6443/openid/v1/jwks",
        response_types_supported: ["id_token"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["ES256", "RS256"],
      },
    });
  });

  test.each(["", "/"])("has the keys at their path with %j", async (end) => {
    expect(await answer(keysPath + end)).toEqual({
      status: 200,
      headers: headersOf("application/jwk-set+json"),
      document: { keys },
    });
  });

  test("names the chosen place of the keys, and the first issuer", async () => {
    const issuers = ["https://first.test/a", "https://second.test"];
    const found = await answer(configurationPath, { issuers, jwksUri: "https://keys.test" });
    expect(found?.document).toMatchObject({ issuer: issuers[0], jwks_uri: "https://keys.test" });
  });

  test.each([
    ["/openid/v1/jwks//", {}],
    ["/openid/v1", {}],
    ["/.well-known/other", {}],
    [keysPath, { release: "1.19" }],
    [keysPath, { issuers: [] }],
    [keysPath, { issuers: ["http://issuer.test"] }],
    [keysPath, { issuers: ["https://issuer.test?a"] }],
    [keysPath, { issuers: ["https://issuer.test#a"] }],
    [keysPath, { issuers: ["https://"] }],
    [keysPath, { issuers: ["kubernetes/serviceaccount"] }],
    [keysPath, { issuers: ["https://issuer test"] }],
    [keysPath, { issuers: ["a https://issuer.test"] }],
  ] as const)("has nothing at %s with %j", async (path, server) => {
    expect(await answer(path, server)).toBeUndefined();
  });

  test("is there since 1.20", async () => {
    expect((await answer(keysPath, { release: "1.20" }))?.status).toBe(200);
  });

  test("is only read, in its own type", async () => {
    await expect(answer(keysPath, { method: "POST" })).rejects.toMatchObject({ code: 405 });
    await expect(answer(keysPath, { accept: "application/json" })).rejects.toMatchObject({ code: 406 });
    await expect(answer(configurationPath, { accept: "text/html" })).rejects.toMatchObject({ code: 406 });
    expect((await answer(keysPath, { accept: "application/jwk-set+json" }))?.status).toBe(200);
    expect((await answer(configurationPath, { accept: "application/json" }))?.status).toBe(200);
  });
});
