import { createHash, KeyObject, verify } from "node:crypto";
import { expect, test } from "vitest";
import { decodeBase64Url } from "../codec/base64-url.ts";
import { es256Signer, newEs256Keys } from "./jwt-signer.ts";

test("a token is what OpenSSL verifies with the public key", async () => {
  const keys = await newEs256Keys();
  const claims = { aud: ["a"], "kubernetes.io": { namespace: "ü<&>" }, sub: "s" };
  const token = await es256Signer(async () => keys)(claims);
  const [header = "", payload = "", signature = ""] = token.split(".");
  const key = KeyObject.from(keys.publicKey);
  const signed = { key, dsaEncoding: "ieee-p1363" } as const;
  const check = (content: string) =>
    verify("sha256", Buffer.from(content), signed, decodeBase64Url(signature));
  expect(check(`${header}.${payload}`)).toBe(true);
  expect(check(`${header}.${payload}A`)).toBe(false);
  expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toEqual(claims);
});

test("its header names the key by the SHA-256 of its DER", async () => {
  const keys = await newEs256Keys();
  const token = await es256Signer(async () => keys)({});
  const der = KeyObject.from(keys.publicKey).export({ type: "spki", format: "der" });
  expect(JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString())).toEqual({
    alg: "ES256",
    kid: createHash("sha256").update(der).digest("base64url"),
  });
});

test("tokens of one signer have one key, even those that are made at once", async () => {
  let made = 0;
  const sign = es256Signer(() => {
    made += 1;
    return newEs256Keys();
  });
  const tokens = await Promise.all([sign({ jti: "1" }), sign({ jti: "2" })]);
  expect(new Set(tokens.map((token) => token.split(".")[0])).size).toBe(1);
  expect(made).toBe(1);
});
