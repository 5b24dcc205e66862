import { generateKeyPairSync, sign } from "node:crypto";
import { contextual, derSequence, derValue, objectIdentifier } from "../../src/apimachinery/der-writer.ts";
import { distinguishedName, formatPem } from "../../src/apimachinery/x509/certificate-writer.ts";

/** A PKCS #10 request in PEM, in base64, and its key in PEM. */
export function certificateRequest(
  commonName: string,
  organizations: readonly string[] = [],
): { readonly request: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const info = derSequence(
    derValue("integer", Uint8Array.of(0)),
    distinguishedName({ commonName, organizations }),
    publicKey.export({ type: "spki", format: "der" }),
    contextual(0, "constructed", new Uint8Array()),
  );
  const signature = derValue("bitString", Uint8Array.of(0), sign("sha256", info, privateKey));
  const request = derSequence(info, derSequence(objectIdentifier("1.2.840.10045.4.3.2")), signature);
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { request: btoa(formatPem("CERTIFICATE REQUEST", request)), key };
}
