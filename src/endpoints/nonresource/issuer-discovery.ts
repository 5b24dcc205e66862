import { genericServerResponse } from "../../apimachinery/errors/errors.ts";
import { textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { encodeJson } from "../../codec/json/json.ts";
import { checkProduces } from "../../codec/media-types/negotiation.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";

const configurationPath = "/.well-known/openid-configuration";
const keysPath = "/openid/v1/jwks";

/**
 * Answers the discovery document and the keys of the issuer of service account tokens; undefined for other paths, and for
 * issuers that cannot be discovered. Upstream: pkg/routes/openidmetadata.go.
 */
export async function serveIssuerDiscovery(
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse | undefined> {
  const path = context.path.endsWith("/") ? context.path.slice(0, -1) : context.path;
  if (path !== configurationPath && path !== keysPath) return undefined;
  const { serviceAccounts, serviceAccountKeys } = environment.authentication;
  const [issuer = ""] = serviceAccounts.issuers;
  if (!environment.gates.since("1.20") || !isDiscoverable(issuer)) return undefined;
  const { request } = context;
  const type = path === keysPath ? "application/jwk-set+json" : "application/json";
  if (request.method !== "GET") throw genericServerResponse(405);
  checkProduces(request, [type]);
  const keys = await serviceAccountKeys.publicKeys();
  const uri = serviceAccounts.jwksUri ?? `https://${environment.advertiseAddress()}${keysPath}`;
  const document = path === keysPath ? { keys } : configuration(issuer, uri, keys);
  return {
    status: 200,
    headers: [
      ["Cache-Control", "public, max-age=3600"],
      ["Content-Type", type],
    ],
    body: new TextEncoder().encode(encodeJson(document)),
  };
}

function configuration(issuer: string, uri: string, keys: readonly JsonObject[]): JsonObject {
  const algorithms = new Set(keys.map((key) => textAt(key, "alg")));
  return {
    issuer,
    jwks_uri: uri,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [...algorithms].sort(),
  };
}

/** Clients find the document below the issuer, so it must be an HTTPS URL without a query and a fragment. */
function isDiscoverable(issuer: string): boolean {
  return URL.canParse(issuer) && /^https:\/\/[^?#]+$/.test(issuer);
}
