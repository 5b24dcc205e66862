import type { Clock } from "../../apimachinery/clock.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { IssuerFetch } from "../contract/issuer-fetch.ts";
import type { IssuerConfiguration } from "../contract/jwt-configuration.ts";

/** How long an issuer may take to answer, in milliseconds (apiserver, plugin/pkg/authenticator/token/oidc). */
const answerMilliseconds = 30_000;

/** How large a document of an issuer may be, in bytes. Upstream has no limit. */
const largestDocument = 1024 * 1024;

const wellKnown = "/.well-known/openid-configuration";

/** The URL of the keys in the discovery document of an issuer. @throws {Error} */
export async function discoveredKeysUrl(
  { url, discoveryUrl, certificateAuthority }: IssuerConfiguration,
  fetch: IssuerFetch,
  clock: Clock,
): Promise<string> {
  const address = discoveryUrl === "" ? url.replace(/\/$/, "") + wellKnown : discoveryUrl;
  const { content } = await fetchDocument(address, certificateAuthority, fetch, clock);
  const { issuer, jwks_uri: keysUrl } = content;
  if (issuer !== url) {
    const got = goQuote(typeof issuer === "string" ? issuer : "");
    throw new Error(
      `oidc: issuer did not match the issuer returned by provider, expected ${goQuote(url)} got ${got}`,
    );
  }
  if (typeof keysUrl !== "string" || !keysUrl.startsWith("https://")) {
    throw new Error("provider did not return JWKS URL");
  }
  return keysUrl;
}

/** A document in JSON. */
export interface IssuerDocument {
  readonly text: string;
  readonly content: JsonObject;
}

/** A document that an issuer serves. @throws {Error} if it does not arrive in time, is too large, or is not JSON */
export async function fetchDocument(
  url: string,
  certificateAuthority: string,
  fetch: IssuerFetch,
  clock: Clock,
): Promise<IssuerDocument> {
  const abort = new AbortController();
  const late = new Promise<never>((_, reject) => {
    abort.signal.addEventListener("abort", () => reject(abort.signal.reason), { once: true });
  });
  // The race below may end before; nothing else waits for it then.
  late.catch(() => {});
  const timer = clock.after(answerMilliseconds, () =>
    abort.abort(new Error(`Get ${goQuote(url)}: context deadline exceeded`)),
  );
  try {
    const response = await Promise.race([fetch(url, requestFor(certificateAuthority, abort.signal)), late]);
    const text = await Promise.race([boundedText(response), late]);
    if (response.status !== 200) throw new Error(`${response.status} ${response.statusText}: ${text}`);
    return { text, content: parsed(text) };
  } finally {
    timer.cancel();
    // Ends a body that is not read to its end.
    abort.abort(new Error("the document is no longer needed"));
  }
}

function requestFor(certificateAuthority: string, signal: AbortSignal): Parameters<IssuerFetch>[1] {
  const headers = { accept: "application/json" };
  return { method: "GET", headers, signal, ...(certificateAuthority !== "" && { certificateAuthority }) };
}

/** @throws {Error} as soon as more has arrived than a document may have */
async function boundedText({ body }: Response): Promise<string> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > largestDocument) {
      // The stream may have failed by itself.
      reader.cancel().catch(() => {});
      throw new Error(`the document has more than ${largestDocument} bytes`);
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

function parsed(text: string): JsonObject {
  const value: JsonValue = JSON.parse(text);
  if (!isJsonObject(value)) throw new Error("expected a JSON object");
  return value;
}
