import { generateKeyPairSync, sign, X509Certificate } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { derElements } from "../../src/apimachinery/der.ts";
import { derSequence, derValue, objectIdentifier } from "../../src/apimachinery/der-writer.ts";
import { formatPem } from "../../src/apimachinery/x509/certificate-writer.ts";
import { type Cluster, createCluster, VirtualClock } from "../../src/index.ts";
import { createAuthority } from "../../src/transports/node/certificates.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { certificateRequest } from "./certificate-request.ts";
import { clients, whoIs } from "./clients.ts";

const authority = createAuthority();
const client = { commonName: "alice", organizations: ["dev", "ops"], usage: "client" } as const;
const start = "2026-01-01T00:00:00Z";

let cluster: Cluster;
let serving: Serving;
beforeEach(async () => {
  cluster = createCluster({
    clock: new VirtualClock(start),
    clientCa: authority.certificate,
    authorizationMode: "RBAC",
  });
  serving = await serve(cluster);
});
afterEach(async () => {
  await cluster.close();
  await serving.close();
});

const userOf = (certificate: string) => ({
  username: "alice",
  groups: ["dev", "ops", "system:authenticated"],
  extra: {
    "authentication.kubernetes.io/credential-id": [
      `X509SHA256=${new X509Certificate(certificate).fingerprint256.replaceAll(":", "").toLowerCase()}`,
    ],
  },
});

describe.each(clients)("over %s, a client certificate", (_version, ask) => {
  test("names the user and the groups", async () => {
    const certificate = authority.issue(client);
    expect(await whoIs(ask, serving, { certificate })).toEqual(userOf(certificate.certificate));
  });

  test("that the cluster issued expires by the clock of the cluster", async () => {
    const certificate = await cluster.certificate("alice", {
      groups: ["dev", "ops"],
      expirationSeconds: 600,
    });
    expect(await whoIs(ask, serving, { certificate })).toEqual(userOf(certificate.certificate));
    await cluster.clock.advance("10m1s");
    expect(await whoIs(ask, serving, { certificate })).toBe(401);
  });

  test.each([
    ["of an authority that is not trusted", createAuthority().issue(client)],
    ["for servers", authority.issue({ ...client, usage: "server" })],
  ])("%s is refused, also with a valid token", async (_title, certificate) => {
    expect(await whoIs(ask, serving, { certificate })).toBe(401);
    expect(await whoIs(ask, serving, { certificate, token: cluster.token("bob") })).toMatchObject({
      username: "bob",
    });
  });

  test("without a common name has no opinion", async () => {
    const certificate = authority.issue({ ...client, commonName: "" });
    expect(await whoIs(ask, serving, { certificate, token: "wrong" })).toBe(401);
    expect(await whoIs(ask, serving, { certificate })).toBe(403);
  });

  test("wins over a token of the token file, but not over one that the cluster issued", async () => {
    const other = createCluster({ clientCa: authority.certificate, tokens: { file: { name: "carol" } } });
    const port = await serve(other);
    const certificate = authority.issue(client);
    expect(await whoIs(ask, port, { certificate, token: "file" })).toMatchObject({ username: "alice" });
    expect(await whoIs(ask, port, { token: "file" })).toMatchObject({ username: "carol" });
    await other.close();
    await port.close();
  });
});

const [[, ask] = ["", async () => ({ status: 0, body: undefined })]] = clients;

test("a rogue authority with the same name as the trusted one cannot issue certificates", async () => {
  const issued = await cluster.certificate("alice");
  const leaf = new X509Certificate(issued.certificate);
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  // The same content, signed with another key.
  const [whole] = derElements(leaf.raw);
  const [{ raw: content } = leaf] = derElements(whole?.content ?? leaf.raw);
  const algorithm = derSequence(objectIdentifier("1.2.840.10045.4.3.2"));
  const forged = derSequence(
    content,
    algorithm,
    derValue("bitString", Uint8Array.of(0), sign("sha256", content, privateKey)),
  );
  const certificate = { ...issued, certificate: formatPem("CERTIFICATE", forged) };
  expect(new X509Certificate(certificate.certificate).issuer).toBe(leaf.issuer);
  // The client sends the certificate only with a key that fits it, as here.
  expect(await whoIs(ask, serving, { certificate: issued })).toMatchObject({ username: "alice" });
  expect(await whoIs(ask, serving, { certificate })).toBe(401);
});

test("authorities that a function returns may change", async () => {
  let trusted = createAuthority().certificate;
  const other = createCluster({ clientCa: () => trusted, authorizationMode: "RBAC" });
  const port = await serve(other);
  const certificate = authority.issue(client);
  expect(await whoIs(ask, port, { certificate })).toBe(401);
  trusted = authority.certificate;
  expect(await whoIs(ask, port, { certificate })).toMatchObject({ username: "alice" });
  await other.close();
  await port.close();
});

test("a uid is in the subject for releases that read it", async () => {
  const certificate = await cluster.certificate("alice", { uid: "u-1" });
  expect(await whoIs(ask, serving, { certificate })).not.toHaveProperty("uid");
  const newer = createCluster({ release: "1.33" });
  const port = await serve(newer);
  const own = await newer.certificate("alice", { uid: "u-1" });
  expect(await whoIs(ask, port, { certificate: own })).toMatchObject({ username: "alice", uid: "u-1" });
  await newer.close();
  await port.close();
});

test("text without a certificate is no authority", () => {
  expect(() => createCluster({ clientCa: "nothing" })).toThrow(
    "createCluster: clientCa: data does not contain any valid RSA or ECDSA certificates",
  );
});

describe("a certificate signing request", () => {
  const signerName = "kubernetes.io/kube-apiserver-client";
  const usages = ["client auth"];

  async function decided(type: "Approved" | "Denied", spec: object) {
    const apiVersion = "certificates.k8s.io/v1";
    const kind = "CertificateSigningRequest";
    const created = await cluster.create({ apiVersion, kind, metadata: { name: "r" }, spec: { ...spec } });
    const condition = { type, status: "True", reason: "Test", message: "" };
    await cluster.update({ ...created, status: { conditions: [condition] } }, { subresource: "approval" });
    await cluster.settle();
    const { status } = await cluster.get(apiVersion, kind, "r");
    return status as { certificate?: string; conditions: { type: string; message: string }[] };
  }

  test("that is approved yields a certificate that logs in until it expires", async () => {
    const { request, key } = certificateRequest("alice", ["dev", "ops"]);
    const status = await decided("Approved", { request, signerName, usages, expirationSeconds: 600 });
    const certificate = { certificate: atob(status.certificate ?? ""), key };
    const { validFrom, validTo } = new X509Certificate(certificate.certificate);
    expect([Date.parse(validFrom), Date.parse(validTo)]).toEqual(
      [-5, 10].map((minutes) => Date.parse(start) + minutes * 60_000),
    );
    expect(await whoIs(ask, serving, { certificate })).toEqual(userOf(certificate.certificate));
    await cluster.clock.advance("11m");
    expect(await whoIs(ask, serving, { certificate })).toBe(401);
  });

  test("that is denied yields none", async () => {
    const { request } = certificateRequest("alice");
    const status = await decided("Denied", { request, signerName, usages });
    expect(status.certificate).toBeUndefined();
  });

  test.each([
    [
      "with other usages",
      "alice",
      { usages: ["server auth"] },
      "invalid usage for client certificate: server auth",
    ],
    [
      "of a kubelet with another organization",
      "alice",
      {
        signerName: "kubernetes.io/kube-apiserver-client-kubelet",
        usages: ["digital signature", "client auth"],
      },
      "subject organization is not system:nodes",
    ],
    [
      "of a kubelet with too few usages",
      "system:node:a",
      { signerName: "kubernetes.io/kube-apiserver-client-kubelet", usages: ["client auth"] },
      "usages did not match [client auth digital signature key encipherment]",
    ],
  ])("%s fails", async (_title, name, spec, message) => {
    const { request } = certificateRequest(name, name === "alice" ? [] : ["system:nodes"]);
    const status = await decided("Approved", { request, signerName, ...spec });
    expect(status.conditions.at(-1)).toMatchObject({
      type: "Failed",
      reason: "SignerValidationFailure",
      message,
    });
  });

  test("of another signer is left to it", async () => {
    const { request } = certificateRequest("alice");
    const status = await decided("Approved", { request, signerName: "example.com/mine", usages });
    expect(status).toMatchObject({ conditions: [{ type: "Approved" }] });
    expect(status.certificate).toBeUndefined();
  });

  test.each([
    ["that is denied", "Denied", signerName, "59m", "2m"],
    ["that is signed", "Approved", signerName, "59m", "2m"],
    ["whose certificate expires", "Approved", signerName, "9m", "2m"],
  ] as const)("%s is deleted in time", async (title, decision, signer, before, after) => {
    const expires = title === "whose certificate expires" ? { expirationSeconds: 600 } : {};
    const { request } = certificateRequest("alice");
    await decided(decision, { request, signerName: signer, usages, ...expires });
    const count = async (duration: string) => {
      await cluster.clock.advance(duration);
      await cluster.settle();
      return (await cluster.list("certificates.k8s.io/v1", "CertificateSigningRequest")).items.length;
    };
    expect([await count(before), await count(after)]).toEqual([1, 0]);
  });

  test("of another signer stays, approved and not signed", async () => {
    await decided("Approved", {
      request: certificateRequest("alice").request,
      signerName: "example.com/mine",
      usages,
    });
    await cluster.clock.advance("720h");
    await cluster.settle();
    const { items } = await cluster.list("certificates.k8s.io/v1", "CertificateSigningRequest");
    expect(items).toHaveLength(1);
  });

  test("is deleted an hour after its decision", async () => {
    await decided("Denied", { request: certificateRequest("alice").request, signerName, usages });
    await cluster.clock.advance("1h1s");
    await cluster.settle();
    const { items } = await cluster.list("certificates.k8s.io/v1", "CertificateSigningRequest");
    expect(items).toEqual([]);
  });
});
