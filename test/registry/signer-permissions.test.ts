import { describe, expect, test } from "vitest";
import type { Cluster } from "../../src/index.ts";
import { certificateRequest } from "./certificate-request.ts";
import { quietCluster, type SendRequest, testClient } from "./test-client.ts";

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

/** A certificate created by OpenSSL: CN=u */
const certificateDer =
  "MIIBbjCCARWgAwIBAgIURtJo506OYT9sLc1Pv3yEXEWeTW0wCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBdTAgFw0yNjExMjExNTIyMTlaGA8yMTI2MTAyODE1MjIxOVowDDEKMAgGA1UEAwwBdTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJ8p8lEfplJvyb+pn5hx38TiNc+dMCaAA0BE1KtvDGGxx2i0IWC25L0hT32kV/6b9KU7zFi9hqa2r74frgwUpj+jUzBRMB0GA1UdDgQWBBQlU+mM8+dPIGX/B4rUhF6/9bKfVDAfBgNVHSMEGDAWgBQlU+mM8+dPIGX/B4rUhF6/9bKfVDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIHVpUReYK0rij4vWTsvq8ULWj8Y0folB6iVL5P/3OPmEAiA2lfSo5UzI4NqtxlGiEGihFbgpYmQmQkv/+yN4VL+VrQ==";
const certificate = btoa(`-----BEGIN CERTIFICATE-----\n${certificateDer}\n-----END CERTIFICATE-----\n`);
const approved = [{ type: "Approved", status: "True", reason: "R", message: "m" }];

function manifest(signerName: string): object {
  return {
    metadata: { name: "c" },
    spec: { request: certificateRequest, signerName, usages: ["client auth"] },
  };
}

/** A cluster with a request for `example.com/s`, and the user bob, who may write every part of requests. */
async function requested(...signerRules: readonly object[]): Promise<readonly [Cluster, SendRequest]> {
  const cluster = quietCluster({ authorizationMode: "RBAC" });
  const send = testClient(cluster);
  const requests = ["", "/status", "/approval"].map((part) => `certificatesigningrequests${part}`);
  const rules = [
    { apiGroups: ["certificates.k8s.io"], resources: requests, verbs: ["*"] },
    ...signerRules.map((rule) => ({ apiGroups: ["certificates.k8s.io"], resources: ["signers"], ...rule })),
  ];
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "r" };
  await send("POST", `${rbac}/clusterroles`, { metadata: { name: "r" }, rules });
  const subjects = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "bob" }];
  await send("POST", `${rbac}/clusterrolebindings`, { metadata: { name: "b" }, roleRef, subjects });
  await send("POST", path, manifest("example.com/s"));
  return [cluster, testClient(cluster, "bob", [])];
}

describe("a user with permission to write requests", () => {
  test("may not approve or sign them", async () => {
    const [cluster, send] = await requested();
    const before = await cluster.get("certificates.k8s.io/v1", "CertificateSigningRequest", "c");
    const refusal = 'certificatesigningrequests.certificates.k8s.io "c" is forbidden: user not permitted to';
    const approval = await send("PATCH", `${path}/c/approval`, { status: { conditions: approved } });
    expect(approval.code).toBe(403);
    expect(approval.findings).toEqual([`${refusal} approve requests with signerName "example.com/s"`]);
    const signature = await send("PATCH", `${path}/c/status`, { status: { certificate } });
    expect(signature.findings).toEqual([`${refusal} sign requests with signerName "example.com/s"`]);
    expect(await cluster.get("certificates.k8s.io/v1", "CertificateSigningRequest", "c")).toEqual(before);
  });

  test.each([["the signer", "example.com/s"] as const, ["its domain", "example.com/*"] as const])(
    "may approve and sign with permission for %s",
    async (_title, name) => {
      const [, send] = await requested({ verbs: ["approve", "sign"], resourceNames: [name] });
      const approval = await send("PATCH", `${path}/c/approval`, { status: { conditions: approved } });
      expect(approval.code).toBe(200);
      const signature = await send("PATCH", `${path}/c/status`, { status: { certificate } });
      expect(signature.object.status).toMatchObject({ certificate, conditions: approved });
    },
  );

  test("may approve without permission to sign", async () => {
    const [, send] = await requested({ verbs: ["approve"] });
    expect((await send("PATCH", `${path}/c/approval`, { status: { conditions: approved } })).code).toBe(200);
    expect((await send("PATCH", `${path}/c/status`, { status: { certificate } })).code).toBe(403);
  });

  test("may not request a certificate for system:masters, not even as a member", async () => {
    const [cluster, send] = await requested();
    await cluster.delete("certificates.k8s.io/v1", "CertificateSigningRequest", "c");
    for (const client of [send, testClient(cluster)]) {
      const { code, findings } = await client("POST", path, manifest("kubernetes.io/kube-apiserver-client"));
      expect(code).toBe(403);
      expect(findings).toEqual([
        'certificatesigningrequests.certificates.k8s.io "c" is forbidden: use of ' +
          "kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed",
      ]);
    }
    expect((await send("POST", path, manifest("example.com/s"))).code).toBe(201);
  });
});
