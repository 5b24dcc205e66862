import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import { contextual, der, objectIdentifier } from "./der.ts";

/** A certificate with its key, both PEM. */
export interface Issued {
  readonly key: string;
  readonly certificate: string;
}

/** The subject and the usage of a certificate. */
export interface CertificateRequest {
  readonly commonName: string;
  /** Default: none. */
  readonly organizations?: readonly string[];
  readonly usage: "server" | "client";
  /** Names and addresses of a server. Default: none. */
  readonly hosts?: readonly string[];
}

/** Issues certificates with a key that never leaves the process. */
export interface Authority {
  /** PEM of the certificate to trust. */
  readonly certificate: string;
  issue(request: CertificateRequest): Issued;
}

/** The names and addresses by which clients inside and outside a cluster reach its API server. */
export const apiServerHosts: readonly string[] = [
  "localhost",
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
  "127.0.0.1",
  "::1",
  "10.96.0.1",
];

/**
 * A new authority with a fresh key. It encodes its certificates itself: the one shape that is needed is less code than a
 * library, which would take longer to load.
 */
export function createAuthority(): Authority {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuer = name(`kubedouble-ca@${randomBytes(8).toString("hex")}`);
  const identifier = keyIdentifier(publicKey);
  const extensions = [
    basicConstraints("authority"),
    keyUsage(digitalSignature | keyCertSign | crlSign),
    extension("2.5.29.14", der("octetString", identifier)),
  ];
  return {
    certificate: signed(unsigned({ issuer, subject: issuer, publicKey, extensions }), privateKey),
    issue: ({ commonName, organizations = [], usage, hosts = [] }) => {
      const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const leaf = unsigned({
        issuer,
        subject: name(commonName, organizations),
        publicKey: keys.publicKey,
        extensions: [
          basicConstraints("leaf"),
          keyUsage(digitalSignature),
          extension("2.5.29.37", der("sequence", objectIdentifier(purposes[usage]))),
          extension("2.5.29.14", der("octetString", keyIdentifier(keys.publicKey))),
          extension("2.5.29.35", der("sequence", contextual(0, "primitive", identifier))),
          ...subjectAlternativeNames(hosts),
        ],
      });
      return {
        key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
        certificate: signed(leaf, privateKey),
      };
    },
  };
}

const purposes = { server: "1.3.6.1.5.5.7.3.1", client: "1.3.6.1.5.5.7.3.2" } as const;

interface Unsigned {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

const ecdsaWithSha256 = der("sequence", objectIdentifier("1.2.840.10045.4.3.2"));
/** The whole century: the certificates end with their process, and no wrong clock can reject them. */
const validity = der(
  "sequence",
  der("utcTime", Buffer.from("000101000000Z")),
  der("generalizedTime", Buffer.from("20991231235959Z")),
);

function unsigned({ issuer, subject, publicKey, extensions }: Unsigned): Buffer {
  const serial = randomBytes(16);
  // Positive, and without a leading zero byte.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return der(
    "sequence",
    contextual(0, "constructed", der("integer", Buffer.from([2]))),
    der("integer", serial),
    ecdsaWithSha256,
    issuer,
    validity,
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    contextual(3, "constructed", der("sequence", ...extensions)),
  );
}

function signed(content: Buffer, key: KeyObject): string {
  const certificate = der("sequence", content, ecdsaWithSha256, bits(0, sign("sha256", content, key)));
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

/** Organizations, which Kubernetes reads as groups, come before the common name, as is usual. */
function name(commonName: string, organizations: readonly string[] = []): Buffer {
  const attribute = (id: string, value: string): Buffer =>
    der("set", der("sequence", objectIdentifier(id), der("utf8String", Buffer.from(value))));
  return der(
    "sequence",
    ...organizations.map((organization) => attribute("2.5.4.10", organization)),
    attribute("2.5.4.3", commonName),
  );
}

function keyIdentifier(key: KeyObject): Buffer {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest()
    .subarray(0, 20);
}

function bits(unused: number, content: Uint8Array): Buffer {
  return der("bitString", Buffer.from([unused]), content);
}

function extension(id: string, value: Buffer): Buffer {
  return der("sequence", objectIdentifier(id), der("octetString", value));
}

function criticalExtension(id: string, value: Buffer): Buffer {
  const critical = der("boolean", Buffer.from([0xff]));
  return der("sequence", objectIdentifier(id), critical, der("octetString", value));
}

function basicConstraints(role: "authority" | "leaf"): Buffer {
  const isAuthority = role === "authority" ? [der("boolean", Buffer.from([0xff]))] : [];
  return criticalExtension("2.5.29.19", der("sequence", ...isAuthority));
}

const digitalSignature = 0x80;
const keyCertSign = 0x04;
const crlSign = 0x02;

/** DER drops trailing zero bits of a named bit list; they count as unused. */
function keyUsage(usages: number): Buffer {
  const unused = 31 - Math.clz32(usages & -usages);
  return criticalExtension("2.5.29.15", bits(unused, Buffer.from([usages])));
}

function subjectAlternativeNames(hosts: readonly string[]): readonly Buffer[] {
  if (hosts.length === 0) return [];
  return [extension("2.5.29.17", der("sequence", ...[...new Set(hosts)].map(generalName)))];
}

function generalName(host: string): Buffer {
  if (isIP(host) === 0) return contextual(2, "primitive", Buffer.from(host, "latin1"));
  return contextual(7, "primitive", addressBytes(host));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
  // The URL parser normalizes an IPv6 address, even with an embedded IPv4 address, to its shortest groups.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const before = groupsOf(head);
  const after = groupsOf(tail ?? "");
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return Buffer.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]));
}

function groupsOf(text: string): readonly number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}
