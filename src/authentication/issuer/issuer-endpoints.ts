import type { JsonObject } from "../../apimachinery/json.ts";
import { encodeBase64Url } from "../../codec/base64-url.ts";
import { type CodeGrant, codeMilliseconds, type Grant, type Grants } from "./grants.ts";
import type { IssuerConfig, TokenResponse } from "./issuer-types.ts";

/** What the endpoints of an issuer depend on. */
export interface EndpointParts {
  readonly config: IssuerConfig;
  readonly grants: Grants;
  /** JSON Web Keys. */
  readonly keys: () => readonly JsonObject[];
  readonly tokensFor: (claims: JsonObject, audience: string) => Promise<TokenResponse>;
}

/** A request to an endpoint, with the parameters of its query or its form. */
interface Exchange extends EndpointParts {
  readonly parameters: URLSearchParams;
}

type Endpoint = (exchange: Exchange) => Response | Promise<Response>;

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

/** How large a form may be, in bytes. */
const largestForm = 64 * 1024;

const endpoints: ReadonlyMap<string, Endpoint> = new Map<string, Endpoint>([
  ["GET /.well-known/openid-configuration", ({ config }) => json(200, discovery(config))],
  ["GET /keys", ({ keys }) => json(200, { keys: keys() })],
  ["GET /authorize", authorize],
  ["POST /token", exchangeToken],
  ["POST /device", startDevice],
  ["GET /device", approveDevice],
]);

/** Answers requests to the issuer. Paths are relative to that of its URL. */
export function issuerEndpoints(parts: EndpointParts): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url);
    const base = parts.config.url().replace(/\/$/, "");
    const path = `${url.origin}${url.pathname}`.slice(base.length);
    const isHere = `${url.origin}${url.pathname}`.startsWith(base);
    const endpoint = isHere ? endpoints.get(`${request.method} ${path}`) : undefined;
    if (endpoint === undefined) return json(404, { error: "not_found" });
    const form = request.method === "POST" ? await request.text() : "";
    if (form.length > largestForm) return json(413, { error: "invalid_request" });
    const parameters = request.method === "POST" ? new URLSearchParams(form) : url.searchParams;
    return endpoint({ ...parts, parameters });
  };
}

function discovery({ url, algorithm }: IssuerConfig): JsonObject {
  const issuer = url();
  const base = issuer.replace(/\/$/, "");
  return {
    issuer,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    device_authorization_endpoint: `${base}/device`,
    jwks_uri: `${base}/keys`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token", deviceGrant],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [algorithm],
    code_challenge_methods_supported: ["S256", "plain"],
    scopes_supported: ["openid", "email", "groups", "profile", "offline_access"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
  };
}

/** Signs the user in at once, without a page. */
function authorize({ parameters, config, grants }: Exchange): Response {
  const [redirectUri, audience] = [parameters.get("redirect_uri") ?? "", parameters.get("client_id") ?? ""];
  if (!URL.canParse(redirectUri) || audience === "") return failure("invalid_request");
  const target = new URL(redirectUri);
  if (target.protocol !== "http:" && target.protocol !== "https:") return failure("invalid_request");
  const state = parameters.get("state");
  if (state !== null) target.searchParams.set("state", state);
  if (parameters.get("response_type") !== "code") {
    target.searchParams.set("error", "unsupported_response_type");
  } else {
    const nonce = parameters.get("nonce");
    const claims = { ...config.claims(), ...(nonce !== null && { nonce }) };
    const challenge = challengeOf(parameters);
    target.searchParams.set("code", grants.code({ claims, audience, redirectUri, challenge }));
  }
  return new Response(null, { status: 302, headers: { location: target.href } });
}

function challengeOf(parameters: URLSearchParams): CodeGrant["challenge"] {
  const value = parameters.get("code_challenge");
  const method = parameters.get("code_challenge_method") === "S256" ? "S256" : "plain";
  return value === null ? undefined : { method, value };
}

async function exchangeToken(exchange: Exchange): Promise<Response> {
  const { parameters, tokensFor } = exchange;
  const grant = await grantOf(parameters.get("grant_type") ?? "", exchange);
  if (typeof grant === "string") return failure(grant);
  return json(200, { ...(await tokensFor(grant.claims, grant.audience)) });
}

/** The grant that a client exchanges, or an error of RFC 6749 or RFC 8628. */
async function grantOf(type: string, { parameters, grants }: Exchange): Promise<Grant | string> {
  const parameter = (name: string) => parameters.get(name) ?? "";
  switch (type) {
    case "authorization_code": {
      const grant = grants.redeem(parameter("code"));
      const isValid =
        grant !== undefined &&
        grant.redirectUri === parameter("redirect_uri") &&
        (await meetsChallenge(grant, parameter("code_verifier")));
      return isValid ? grant : "invalid_grant";
    }
    case "refresh_token":
      return grants.ofRefreshToken(parameter("refresh_token")) ?? "invalid_grant";
    case deviceGrant:
      return grants.ofDevice(parameter("device_code"));
    default:
      return "unsupported_grant_type";
  }
}

async function meetsChallenge({ challenge }: CodeGrant, verifier: string): Promise<boolean> {
  if (challenge === undefined) return true;
  if (challenge.method === "plain") return challenge.value === verifier;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return challenge.value === encodeBase64Url(new Uint8Array(digest));
}

function startDevice({ parameters, config, grants }: Exchange): Response {
  const audience = parameters.get("client_id") ?? "";
  if (audience === "") return failure("invalid_request");
  const { deviceCode, userCode } = grants.device(audience);
  const page = `${config.url().replace(/\/$/, "")}/device`;
  return json(200, {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: codeMilliseconds / 1000,
    interval: 1,
  });
}

/** The page on which the user of a device signs in: a visit is enough. */
function approveDevice({ parameters, config, grants }: Exchange): Response {
  const isKnown = grants.approveDevice(parameters.get("user_code") ?? "", config.claims());
  return isKnown ? json(200, { status: "signed in" }) : failure("invalid_request");
}

function failure(error: string): Response {
  return json(400, { error });
}

function json(status: number, body: JsonObject): Response {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return new Response(JSON.stringify(body), { status, headers });
}
