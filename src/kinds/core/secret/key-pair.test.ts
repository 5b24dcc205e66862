import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, expect, test } from "vitest";
import { derValue as der } from "../../../apimachinery/der-writer.ts";
import { keyPairProblem } from "./key-pair.ts";

/** A certificate in which only the public key is meaningful. */
function certify(publicKey: KeyObject): string {
  const nothing = der("sequence");
  const key = publicKey.export({ type: "spki", format: "der" });
  const signed = der("sequence", der("integer", Buffer.from([1])), nothing, nothing, nothing, nothing, key);
  return pem("CERTIFICATE", der("sequence", signed, nothing, der("bitString")));
}

function pem(label: string, bytes: Uint8Array = Buffer.from([0])): string {
  return `-----BEGIN ${label}-----\n${Buffer.from(bytes).toString("base64")}\n-----END ${label}-----\n`;
}

const elliptic = generateKeyPairSync("ec", { namedCurve: "P-256" });
const otherElliptic = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 512 });
const otherRsa = generateKeyPairSync("rsa", { modulusLength: 512 });
const edwards = generateKeyPairSync("ed25519");

type Form = "pkcs1" | "pkcs8" | "sec1";

function exported(key: KeyObject, type: Form): string {
  return key.export({ type, format: "pem" } as { type: "pkcs8"; format: "pem" }).toString();
}

const mismatched = "tls: private key does not match public key";

describe("a certificate and a key", () => {
  test.each<[string, string, string, string | undefined]>([
    ["that are empty", "", "", "tls: failed to find any PEM data in certificate input"],
    [
      "that are swapped",
      pem("X PRIVATE KEY"),
      pem("CERTIFICATE"),
      "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched",
    ],
    [
      "with another block instead of the certificate",
      pem("A") + pem("B C"),
      "",
      'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A B C]',
    ],
    ["without the key", pem("CERTIFICATE"), "", "tls: failed to find any PEM data in key input"],
    [
      "that are both certificates",
      pem("CERTIFICATE"),
      pem("CERTIFICATE"),
      "tls: found a certificate rather than a key in the PEM for the private key",
    ],
    [
      "with another block instead of the key",
      pem("CERTIFICATE"),
      pem("EC PARAMETERS") + pem("MYPRIVATE KEY"),
      'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [EC PARAMETERS MYPRIVATE KEY]',
    ],
    ["with invalid bytes", pem("CERTIFICATE"), pem("PRIVATE KEY"), "x509: malformed certificate"],
    [
      "with an invalid certificate in a signed structure",
      pem("CERTIFICATE", der("sequence", der("integer"))),
      pem("PRIVATE KEY"),
      "x509: malformed tbs certificate",
    ],
    [
      "with invalid bytes for the key",
      certify(rsa.publicKey),
      pem("PRIVATE KEY"),
      "tls: failed to parse private key",
    ],
    [
      "of different types",
      certify(rsa.publicKey),
      exported(elliptic.privateKey, "pkcs8"),
      "tls: private key type does not match public key type",
    ],
    ["of RSA", certify(rsa.publicKey), exported(rsa.privateKey, "pkcs8"), undefined],
    ["of RSA in PKCS #1", certify(rsa.publicKey), exported(rsa.privateKey, "pkcs1"), undefined],
    ["of RSA that do not match", certify(rsa.publicKey), exported(otherRsa.privateKey, "pkcs1"), mismatched],
    ["of an elliptic curve", certify(elliptic.publicKey), exported(elliptic.privateKey, "pkcs8"), undefined],
    [
      "of an elliptic curve in SEC 1",
      certify(elliptic.publicKey),
      exported(elliptic.privateKey, "sec1"),
      undefined,
    ],
    [
      "of an elliptic curve that do not match",
      certify(elliptic.publicKey),
      exported(otherElliptic.privateKey, "sec1"),
      mismatched,
    ],
    ["of Ed25519", certify(edwards.publicKey), exported(edwards.privateKey, "pkcs8"), undefined],
    [
      "after other blocks",
      pem("A") + certify(rsa.publicKey),
      pem("B") + exported(rsa.privateKey, "pkcs8"),
      undefined,
    ],
  ])("%s", (_title, certificate, key, problem) => {
    expect(keyPairProblem(certificate, key)).toBe(problem);
  });
});
