import { CompactSign, type CryptoKey, exportJWK, generateKeyPair } from "jose";
import type { JsonObject } from "../../apimachinery/json.ts";
import { encodeBase64Url } from "../../codec/base64-url.ts";
import { encodeJson } from "../../codec/json/json.ts";
import type { IssuerAlgorithm, IssuerTokenOptions } from "./issuer-types.ts";

/** A key of an issuer. */
export interface SigningKey {
  readonly id: string;
  readonly algorithm: IssuerAlgorithm;
  readonly key: CryptoKey;
  /** As a JSON Web Key. */
  readonly publicKey: JsonObject;
}

export async function newSigningKey(algorithm: IssuerAlgorithm): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const id = encodeBase64Url(crypto.getRandomValues(new Uint8Array(12)));
  // The key is asymmetric, so all members of its JWK are texts.
  const jwk = (await exportJWK(publicKey)) as JsonObject;
  return { id, algorithm, key: privateKey, publicKey: { use: "sig", alg: algorithm, kid: id, ...jwk } };
}

/**
 * A token in compact form. Its header may state anything. The key signs with its own algorithm, so the signature of a token
 * that states another one, or extensions, is wrong.
 */
export async function signedToken(
  { key, algorithm }: SigningKey,
  header: JsonObject,
  claims: JsonObject,
  signature: NonNullable<IssuerTokenOptions["signature"]>,
): Promise<string> {
  const { crit, ...understood } = header;
  const token = await new CompactSign(new TextEncoder().encode(encodeJson(claims)))
    .setProtectedHeader({ ...understood, alg: algorithm })
    .sign(key);
  const [signedHeader = "", payload = "", signed = ""] = token.split(".");
  const isUsual = crit === undefined && header["alg"] === algorithm;
  const head = isUsual ? signedHeader : encodeBase64Url(new TextEncoder().encode(encodeJson(header)));
  return `${head}.${payload}.${signature === "none" ? "" : signed}`;
}
