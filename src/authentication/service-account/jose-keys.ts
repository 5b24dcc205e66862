import {
  CompactSign,
  type CryptoKey,
  compactVerify,
  decodeProtectedHeader,
  errors,
  generateKeyPair,
  importJWK,
  type JWK,
} from "jose";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { encodeBase64Url } from "../../codec/base64-url.ts";
import { encodeJson } from "../../codec/json/json.ts";
import type { ServiceAccountKeyOptions } from "../contract/authentication-config.ts";
import { type ServiceAccountKeys, TokenSignatureError } from "../contract/service-account-keys.ts";
import { algorithmOf, type KeyPem, keysOfPem } from "./key-pem.ts";

interface PublicKey {
  readonly id: string;
  readonly algorithm: string;
  readonly key: CryptoKey;
  readonly jwk: JsonObject;
}

interface SigningKey {
  readonly key: CryptoKey;
  readonly publicKey: PublicKey;
}

/** The messages of Go's library for tokens. */
const wrongSignature = "go-jose/go-jose: error in cryptographic primitive";
const unsupportedAlgorithm = "go-jose/go-jose: unknown/unsupported algorithm";

/**
 * Signs and verifies with the keys of the options. Without a signing key, one of RSA is generated. Without other keys, the
 * signing key alone verifies. Upstream: pkg/serviceaccount/jwt.go and openidmetadata.go.
 */
export async function joseKeys({ signingKey, keys }: ServiceAccountKeyOptions): Promise<ServiceAccountKeys> {
  const signing = signingKey === undefined ? await generated() : await signingKeyOf(signingKey);
  const given = keys === undefined ? [] : await publicKeysOf(keys);
  const known = keys !== undefined && signingKey !== undefined ? given : [...given, signing.publicKey];
  return {
    sign: (claims) => sign(signing, claims),
    verify: (token) => verify(known, token),
    publicKeys: async () => known.map(({ jwk }) => jwk),
  };
}

async function sign({ key, publicKey }: SigningKey, claims: JsonObject): Promise<string> {
  const { algorithm: alg, id: kid } = publicKey;
  return new CompactSign(new TextEncoder().encode(encodeJson(claims)))
    .setProtectedHeader({ alg, kid })
    .sign(key);
}

/**
 * Keys in the header of a token do not count, and a key verifies its own algorithm alone. A token whose key id is not known
 * may be signed with any of the keys.
 */
async function verify(known: readonly PublicKey[], token: string): Promise<JsonObject | undefined> {
  const id = keyIdOf(token);
  if (id === undefined) return undefined;
  const named = known.filter((key) => key.id === id);
  const messages = new Set<string>();
  for (const { key, algorithm } of named.length > 0 ? named : known) {
    try {
      const { payload } = await compactVerify(token, key, { algorithms: [algorithm] });
      const claims: JsonValue = JSON.parse(new TextDecoder().decode(payload));
      return isJsonObject(claims) ? claims : undefined;
    } catch (error) {
      messages.add(error instanceof errors.JOSEAlgNotAllowed ? unsupportedAlgorithm : wrongSignature);
    }
  }
  const list = [...messages];
  throw new TokenSignatureError(list.length === 1 ? list.join() : `[${list.join(", ")}]`);
}

/** The key id in the header of a token; empty without one, undefined if the header cannot be read. */
function keyIdOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid ?? "";
  } catch {
    return undefined;
  }
}

async function generated(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  return {
    key: privateKey,
    publicKey: await publicKeyOf("RS256", await crypto.subtle.exportKey("jwk", publicKey)),
  };
}

/** @throws {Error} if the text has no private key of RSA or ECDSA */
async function signingKeyOf(pem: string): Promise<SigningKey> {
  const found = keysOfPem(pem).find(({ form }) => form === "pkcs8");
  const algorithm = found && algorithmOf(found);
  if (found === undefined || algorithm === undefined) {
    throw new Error(
      "failed to parse the service account signing key: data does not contain a valid RSA or ECDSA private key",
    );
  }
  const key = await imported(found, algorithm);
  return { key, publicKey: await publicKeyOf(algorithm, await crypto.subtle.exportKey("jwk", key)) };
}

/** @throws {Error} for a text without a key of RSA or ECDSA */
async function publicKeysOf(pems: readonly string[]): Promise<readonly PublicKey[]> {
  const found = await Promise.all(
    pems.map(async (pem) => {
      const keys = keysOfPem(pem);
      if (keys.length === 0) {
        throw new Error("data does not contain any valid RSA or ECDSA public keys");
      }
      return Promise.all(keys.map(publicHalf));
    }),
  );
  return found.flat();
}

async function publicHalf(pem: KeyPem): Promise<PublicKey> {
  const algorithm = algorithmOf(pem);
  if (algorithm === undefined) throw new Error("data does not contain any valid RSA or ECDSA public keys");
  return publicKeyOf(algorithm, await crypto.subtle.exportKey("jwk", await imported(pem, algorithm)));
}

const parameters = {
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  ES384: { name: "ECDSA", namedCurve: "P-384" },
  ES512: { name: "ECDSA", namedCurve: "P-521" },
} as const;

function imported({ form, bytes }: KeyPem, algorithm: keyof typeof parameters): Promise<CryptoKey> {
  // A copy, because WebCrypto takes no views of shared memory.
  const usage = form === "pkcs8" ? "sign" : "verify";
  return crypto.subtle.importKey(form, Uint8Array.from(bytes), parameters[algorithm], true, [usage]);
}

/** The public part of a key, with the SHA-256 of its DER as id, and its fields in upstream's order. */
async function publicKeyOf(algorithm: string, jwk: JWK): Promise<PublicKey> {
  const { kty, crv, x, y, n, e } = jwk;
  const fields = { ...(crv !== undefined && { crv }), alg: algorithm, x, y, n, e };
  const parts = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  // An asymmetric JWK is never imported as bytes.
  const key = (await importJWK({ kty, ...parts } as JWK, algorithm, { extractable: true })) as CryptoKey;
  const digest = await crypto.subtle.digest("SHA-256", await crypto.subtle.exportKey("spki", key));
  const id = encodeBase64Url(new Uint8Array(digest));
  return { id, algorithm, key, jwk: { use: "sig", kty: kty ?? "", kid: id, ...parts } as JsonObject };
}
