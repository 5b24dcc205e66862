import fc from "fast-check";
import { expect, test } from "vitest";
import { nearly, nearlyBytes } from "../../../test/arbitraries/nearly.ts";
import { derTags } from "../../apimachinery/der.ts";
import { parseCertificateRequest } from "./certificate-signing-request/certificate-request.ts";
import { certificateRequestProblem } from "./certificate-signing-request/certificate-request-problem.ts";
import { certificateProblem } from "./validation/certificate-problem.ts";

function der(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(contents);
  return Uint8Array.from([tag, ...lengthOf(content), ...content]);
}

function lengthOf({ length }: Uint8Array): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

const { sequence, set, integer, objectIdentifier, octetString, bitString } = derTags;
const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "hex"));
const identifier = {
  commonName: "550403",
  organization: "55040a",
  request: "2a864886f70d01090e",
  altName: "551d11",
};
const utf8String = 0x0c;

const text = fc.string({ unit: fc.constantFrom(..."ab:é"), maxLength: 10 });
const request = fc.record({
  commonName: text,
  organizations: fc.array(text, { maxLength: 3 }),
  dnsNames: fc.array(text, { maxLength: 3 }),
});
type Request = typeof request extends fc.Arbitrary<infer R> ? R : never;

/** A PKCS #10 request without a key and a signature. */
function requestOf({ commonName, organizations, dnsNames }: Request): Uint8Array {
  const named = (id: string, value: string) =>
    der(set, der(sequence, der(objectIdentifier, hex(id)), der(utf8String, Buffer.from(value))));
  const subject = der(
    sequence,
    ...organizations.map((name) => named(identifier.organization, name)),
    named(identifier.commonName, commonName),
  );
  const names = der(sequence, ...dnsNames.map((name) => der(0x82, Buffer.from(name))));
  const extension = der(sequence, der(objectIdentifier, hex(identifier.altName)), der(octetString, names));
  const attribute = der(
    sequence,
    der(objectIdentifier, hex(identifier.request)),
    der(set, der(sequence, extension)),
  );
  const info = der(sequence, der(integer, hex("00")), subject, der(sequence), der(0xa0, attribute));
  return der(sequence, info, der(sequence), der(bitString, hex("00")));
}

function pem(label: string, bytes: Uint8Array): string {
  return `-----BEGIN ${label}-----\n${Buffer.from(bytes).toString("base64")}\n-----END ${label}-----\n`;
}

const base64 = (content: string): string => Buffer.from(content).toString("base64");

test("a certificate request has the names that were written", () => {
  fc.assert(
    fc.property(request, (given) => {
      const read = parseCertificateRequest(base64(pem("CERTIFICATE REQUEST", requestOf(given))));
      expect(read).toMatchObject({
        commonName: given.commonName,
        organizations: given.organizations,
        dnsNames: given.dnsNames.length,
        ipAddresses: 0,
      });
    }),
  );
});

const label = fc.constantFrom("CERTIFICATE REQUEST", "CERTIFICATE");
const nearlyPem = fc
  .tuple(label, nearlyBytes(request.map(requestOf)))
  .chain(([name, bytes]) => nearly(fc.constant(pem(name, bytes)), "-BEGIN END\n:=A"));

test("nearly valid certificates and requests are read, or have a problem", () => {
  fc.assert(
    fc.property(nearlyPem, (content) => {
      const encoded = base64(content);
      const isRequest = parseCertificateRequest(encoded) !== undefined;
      expect(certificateRequestProblem(encoded) === undefined).toBe(isRequest);
      if (isRequest) expect(certificateProblem(encoded)).toMatch(/only CERTIFICATE PEM blocks are allowed/);
      else expect(certificateProblem(encoded) ?? "").toBeTypeOf("string");
    }),
    { numRuns: 2000 },
  );
});
