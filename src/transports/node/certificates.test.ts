import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { apiServerHosts, createAuthority } from "./certificates.ts";

const authority = createAuthority();
const issuer = new X509Certificate(authority.certificate);

test("an authority signs its own certificate and those it issues", () => {
  const { certificate } = authority.issue({ commonName: "server", usage: "server" });
  const leaf = new X509Certificate(certificate);
  expect(issuer.ca).toBe(true);
  expect(issuer.verify(issuer.publicKey)).toBe(true);
  expect(leaf.ca).toBe(false);
  expect(leaf.checkIssued(issuer)).toBe(true);
  expect(leaf.verify(issuer.publicKey)).toBe(true);
});

test("a server certificate is good for every name of an API server", () => {
  const hosts = [...apiServerHosts, "example.test", "192.0.2.7", "fe80::1:2", "::ffff:1.2.3.4"];
  const leaf = new X509Certificate(authority.issue({ commonName: "x", usage: "server", hosts }).certificate);
  expect(["kubernetes.default.svc", "example.test"].map((host) => leaf.checkHost(host))).not.toContain(
    undefined,
  );
  for (const address of ["127.0.0.1", "::1", "10.96.0.1", "192.0.2.7", "fe80::1:2", "::ffff:1.2.3.4"]) {
    expect(leaf.checkIP(address), address).toBeDefined();
  }
  expect(leaf.checkHost("other.test")).toBeUndefined();
  expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
});

test("a client certificate names its user and groups", () => {
  const request = { commonName: "alice", organizations: ["dev", "ops"], usage: "client" } as const;
  const leaf = new X509Certificate(authority.issue(request).certificate);
  expect(leaf.subject).toBe("O=dev\nO=ops\nCN=alice");
  expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
});

test("certificates outlive everything but their keys, which are never the same", () => {
  const other = createAuthority();
  const leaves = [authority, other].map((by) => by.issue({ commonName: "x", usage: "server" }));
  expect(new Date(issuer.validTo).getUTCFullYear()).toBe(2099);
  expect(new Set(leaves.map((leaf) => leaf.key)).size).toBe(2);
  expect(new X509Certificate(other.certificate).subject).not.toBe(issuer.subject);
  const serials = Array.from({ length: 50 }, () => {
    const { certificate } = authority.issue({ commonName: "x", usage: "client" });
    return new X509Certificate(certificate).serialNumber;
  });
  expect(new Set(serials).size).toBe(50);
  expect(serials.every((serial) => serial.length === 32 && /^[4-7]/.test(serial))).toBe(true);
});
