import { type CryptoKey, compactVerify, errors, importJWK, type JWK } from "jose";
import { messageOf } from "../../apimachinery/errors/message-of.ts";
import { isJsonObject, type JsonObject } from "../../apimachinery/json.ts";
import type { TokenHeader } from "./id-token.ts";
import { TokenError } from "./token-error.ts";

/** The keys of an issuer. */
export interface IssuerKeys {
  /** Verifies the signature of a token in compact form. @throws {TokenError} */
  readonly verify: (token: string, header: TokenHeader) => Promise<void>;
}

/** A key of a key set. Each algorithm needs its own import. */
interface IssuerKey {
  readonly id: string;
  readonly jwk: JWK;
  readonly imported: Map<string, Promise<CryptoKey | undefined>>;
}

/**
 * Verifies with the keys that `fetchKeys` fetched last. A token that none of them verifies has it fetch the keys again, once
 * for all tokens that wait: that is how the keys of an issuer may change. Upstream: github.com/coreos/go-oidc, jwks.go.
 */
export function issuerKeys(fetchKeys: () => Promise<readonly JsonObject[]>): IssuerKeys {
  let known: readonly IssuerKey[] = [];
  let fetching: Promise<readonly IssuerKey[]> | undefined;
  const refetch = (): Promise<readonly IssuerKey[]> => {
    fetching ??= fetchKeys()
      .then((keys) => {
        known = keys.map(issuerKey);
        return known;
      })
      .finally(() => {
        fetching = undefined;
      });
    return fetching;
  };
  return {
    verify: async (token, header) => {
      if (await isVerified(known, token, header)) return;
      let keys: readonly IssuerKey[];
      try {
        keys = await refetch();
      } catch (error) {
        throw failed(`fetching keys ${messageOf(error)}`);
      }
      if (!(await isVerified(keys, token, header))) throw failed("failed to verify id token signature");
    },
  };
}

/** The keys of a key set. @throws {Error} for a document that is none */
export function keysOfSet(document: JsonObject): readonly JsonObject[] {
  const { keys } = document;
  if (!Array.isArray(keys)) throw new Error("oidc: failed to decode keys: no list of keys");
  return keys.filter(isJsonObject);
}

function failed(detail: string): TokenError {
  return new TokenError(`failed to verify signature: ${detail}`);
}

/** Only the public parts of a key count, not what it says about its use. */
function issuerKey(key: JsonObject): IssuerKey {
  const jwk: Record<string, string> = {};
  for (const name of ["kty", "crv", "x", "y", "n", "e"]) {
    const value = key[name];
    if (typeof value === "string") jwk[name] = value;
  }
  return { id: typeof key["kid"] === "string" ? key["kid"] : "", jwk, imported: new Map() };
}

/** A token that names no key may be signed with any. Keys in its header do not count. */
async function isVerified(
  keys: readonly IssuerKey[],
  token: string,
  { keyId, algorithm, isCritical }: TokenHeader,
): Promise<boolean> {
  if (isCritical) return false;
  for (const key of keys) {
    if (keyId !== "" && key.id !== keyId) continue;
    const imported = await importedKey(key, algorithm);
    if (imported !== undefined && (await verifies(imported, token, algorithm))) return true;
  }
  return false;
}

/** Undefined for a key that is not of the algorithm. */
function importedKey({ jwk, imported }: IssuerKey, algorithm: string): Promise<CryptoKey | undefined> {
  let key = imported.get(algorithm);
  if (key === undefined) {
    // An asymmetric JWK is never imported as bytes; a symmetric one has no public parts.
    key = importJWK(jwk, algorithm).then(
      (value) => (value instanceof Uint8Array ? undefined : value),
      () => undefined,
    );
    imported.set(algorithm, key);
  }
  return key;
}

async function verifies(key: CryptoKey, token: string, algorithm: string): Promise<boolean> {
  try {
    await compactVerify(token, key, { algorithms: [algorithm] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return false;
    throw error;
  }
}
