import type { JsonObject } from "../apimachinery/json.ts";
import { encodeBase64Url } from "../codec/base64-url.ts";
import { encodeJson } from "../codec/json/json.ts";

/** Signs claims and returns a JSON Web Token in compact form. */
export type JwtSigner = (claims: JsonObject) => Promise<string>;

const curve = { name: "ECDSA", namedCurve: "P-256" } as const;
const signature = { name: "ECDSA", hash: "SHA-256" } as const;
const utf8 = new TextEncoder();

/** A WebCrypto key; the name of its type differs by runtime. */
type Key = Parameters<typeof crypto.subtle.sign>[1];

export interface Es256Keys {
  readonly privateKey: Key;
  readonly publicKey: Key;
}

/** Generates a key pair for ES256. The private key cannot be exported. */
export function newEs256Keys(): Promise<Es256Keys> {
  return crypto.subtle.generateKey(curve, false, ["sign", "verify"]);
}

/** Signs with ES256. `keys` is called for the first token. */
export function es256Signer(keys: () => Promise<Es256Keys>): JwtSigner {
  let signing: Promise<SigningKey> | undefined;
  return async (claims) => {
    signing ??= keys().then(signingKey);
    const { key, id } = await signing;
    const header = { alg: "ES256", kid: id };
    const content = [header, claims].map((part) => encodeBase64Url(utf8.encode(encodeJson(part)))).join(".");
    const signed = await crypto.subtle.sign(signature, key, utf8.encode(content));
    return `${content}.${encodeBase64Url(new Uint8Array(signed))}`;
  };
}

interface SigningKey {
  readonly key: Key;
  /** The SHA-256 of the public key in DER, from which upstream derives key ids. */
  readonly id: string;
}

async function signingKey({ privateKey, publicKey }: Es256Keys): Promise<SigningKey> {
  const der = await crypto.subtle.exportKey("spki", publicKey);
  const digest = await crypto.subtle.digest("SHA-256", der);
  return { key: privateKey, id: encodeBase64Url(new Uint8Array(digest)) };
}
