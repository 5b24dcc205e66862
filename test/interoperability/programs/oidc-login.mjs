// An exec credential plugin that logs in as kubelogin does: with the authorization-code flow (PKCE, a redirect to localhost) or
// the device flow. It keeps the tokens in a file, refreshes an ID token that has expired, and verifies it before it prints it.
//
//   node oidc-login.mjs FLOW ISSUER CLIENT-ID FILE
//
// AHEAD sets its clock ahead by that many seconds. NODE_EXTRA_CA_CERTS names the authority of the issuer.
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRemoteJWKSet, jwtVerify } from "jose";

const [flow, issuer, clientId, file] = process.argv.slice(2);
const now = () => new Date(Date.now() + 1000 * Number(process.env.AHEAD ?? 0));
const random = () => randomBytes(32).toString("base64url");

const endpoints = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
const keys = createRemoteJWKSet(new URL(endpoints.jwks_uri));

async function post(url, form) {
  const response = await fetch(url, {
    method: "POST",
    body: new URLSearchParams({ client_id: clientId, ...form }),
  });
  return response.json();
}

async function claimsOf({ id_token: token }) {
  const options = { issuer, audience: clientId, currentDate: now() };
  return (await jwtVerify(token, keys, options)).payload;
}

/** The authorization-code flow. The browser is a request that follows redirects. */
async function browserLogin() {
  const [state, nonce, verifier] = [random(), random(), random()];
  const server = createServer().listen(0, "localhost");
  await once(server, "listening");
  const redirect = `http://localhost:${server.address().port}/callback`;
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirect,
    scope: "openid groups offline_access",
    state,
    nonce,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const called = once(server, "request");
  const page = fetch(`${endpoints.authorization_endpoint}?${query}`);
  const [request, response] = await called;
  response.end("You may close this page.");
  await (await page).text();
  server.close();
  server.closeAllConnections();
  const answer = new URL(request.url, redirect).searchParams;
  if (answer.get("state") !== state) throw new Error("the state is not that of the request");
  const tokens = await post(endpoints.token_endpoint, {
    grant_type: "authorization_code",
    code: answer.get("code"),
    redirect_uri: redirect,
    code_verifier: verifier,
  });
  if ((await claimsOf(tokens)).nonce !== nonce) throw new Error("the nonce is not that of the request");
  return tokens;
}

/** The device flow: the user signs in at an address that standard error shows. */
async function deviceLogin() {
  const device = await post(endpoints.device_authorization_endpoint, { scope: "openid offline_access" });
  console.error(`Sign in at ${device.verification_uri_complete}`);
  for (;;) {
    const tokens = await post(endpoints.token_endpoint, {
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: device.device_code,
    });
    if (tokens.error === undefined) return tokens;
    if (tokens.error !== "authorization_pending") throw new Error(tokens.error);
    await new Promise((resolve) => setTimeout(resolve, device.interval * 1000));
  }
}

/** The tokens of the last login, refreshed if the ID token has expired; undefined if the user must log in. */
async function remembered() {
  if (!existsSync(file)) return undefined;
  const tokens = JSON.parse(readFileSync(file, "utf8"));
  try {
    await claimsOf(tokens);
    return tokens;
  } catch (error) {
    if (error.code !== "ERR_JWT_EXPIRED") throw error;
  }
  const refreshed = await post(endpoints.token_endpoint, {
    grant_type: "refresh_token",
    refresh_token: tokens.refresh_token,
  });
  return refreshed.error === undefined ? refreshed : undefined;
}

const tokens = (await remembered()) ?? (await (flow === "device" ? deviceLogin() : browserLogin()));
writeFileSync(file, JSON.stringify(tokens), { mode: 0o600 });
const { exp } = await claimsOf(tokens);
const { apiVersion } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
const expirationTimestamp = new Date(exp * 1000).toISOString().replace(".000Z", "Z");
const status = { token: tokens.id_token, expirationTimestamp };
console.log(JSON.stringify({ kind: "ExecCredential", apiVersion, status }));
