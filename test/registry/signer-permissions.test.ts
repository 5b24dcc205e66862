import { describe, expect, test } from "vitest";
import type { Cluster } from "../../src/index.ts";
import { type Ask, asking, quietCluster } from "./asked.ts";

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

/** A PKCS #10 request made with OpenSSL: O=system:masters, CN=u */
const der =
  "MIHgMIGHAgEAMCUxFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMQowCAYDVQQDDAF1MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEL37GK2y9CSifUmEbWJ0/nFC2Ou05Dt0u9LlPXfMiFE6/eUM/go/sNXwsukYnoOQ60yXfSrEGeIFY+xx9+p7CN6AAMAoGCCqGSM49BAMCA0gAMEUCIQDd3TNI5lUmukuocWRBrSNfhC+NFSkQTqEW143COdqbiAIgHvnFCiLdGWTK/zxRlTCJOdU6qOhxXXCQLGGBYFP2CGM=";
const request = btoa(`-----BEGIN CERTIFICATE REQUEST-----\n${der}\n-----END CERTIFICATE REQUEST-----\n`);
/** A certificate made with OpenSSL: CN=u */
const certificateDer =
  "MIIBbjCCARWgAwIBAgIURtJo506OYT9sLc1Pv3yEXEWeTW0wCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBdTAgFw0yNjExMjExNTIyMTlaGA8yMTI2MTAyODE1MjIxOVowDDEKMAgGA1UEAwwBdTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJ8p8lEfplJvyb+pn5hx38TiNc+dMCaAA0BE1KtvDGGxx2i0IWC25L0hT32kV/6b9KU7zFi9hqa2r74frgwUpj+jUzBRMB0GA1UdDgQWBBQlU+mM8+dPIGX/B4rUhF6/9bKfVDAfBgNVHSMEGDAWgBQlU+mM8+dPIGX/B4rUhF6/9bKfVDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIHVpUReYK0rij4vWTsvq8ULWj8Y0folB6iVL5P/3OPmEAiA2lfSo5UzI4NqtxlGiEGihFbgpYmQmQkv/+yN4VL+VrQ==";
const certificate = btoa(`-----BEGIN CERTIFICATE-----\n${certificateDer}\n-----END CERTIFICATE-----\n`);
const approved = [{ type: "Approved", status: "True", reason: "R", message: "m" }];

function manifest(signerName: string): object {
  return { metadata: { name: "c" }, spec: { request, signerName, usages: ["client auth"] } };
}

/** A cluster with a request for `example.com/s`, and the user bob, who can write every part of requests. */
async function requested(...signerRules: readonly object[]): Promise<readonly [Cluster, Ask]> {
  const cluster = quietCluster({ authorizationMode: "RBAC" });
  const ask = asking(cluster);
  const requests = ["", "/status", "/approval"].map((part) => `certificatesigningrequests${part}`);
  const rules = [
    { apiGroups: ["certificates.k8s.io"], resources: requests, verbs: ["*"] },
    ...signerRules.map((rule) => ({ apiGroups: ["certificates.k8s.io"], resources: ["signers"], ...rule })),
  ];
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "r" };
  await ask("POST", `${rbac}/clusterroles`, { metadata: { name: "r" }, rules });
  const subjects = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "bob" }];
  await ask("POST", `${rbac}/clusterrolebindings`, { metadata: { name: "b" }, roleRef, subjects });
  await ask("POST", path, manifest("example.com/s"));
  return [cluster, asking(cluster, "bob", [])];
}

describe("who may write requests", () => {
  test("may not therefore approve or sign them", async () => {
    const [cluster, ask] = await requested();
    const before = await cluster.get("certificates.k8s.io/v1", "CertificateSigningRequest", "c");
    const refusal = 'certificatesigningrequests.certificates.k8s.io "c" is forbidden: user not permitted to';
    const approval = await ask("PATCH", `${path}/c/approval`, { status: { conditions: approved } });
    expect(approval.code).toBe(403);
    expect(approval.findings).toEqual([`${refusal} approve requests with signerName "example.com/s"`]);
    const signature = await ask("PATCH", `${path}/c/status`, { status: { certificate } });
    expect(signature.findings).toEqual([`${refusal} sign requests with signerName "example.com/s"`]);
    expect(await cluster.get("certificates.k8s.io/v1", "CertificateSigningRequest", "c")).toEqual(before);
  });

  test.each([["the signer", "example.com/s"] as const, ["its domain", "example.com/*"] as const])(
    "may approve and sign with the permission for %s",
    async (_title, name) => {
      const [, ask] = await requested({ verbs: ["approve", "sign"], resourceNames: [name] });
      const approval = await ask("PATCH", `${path}/c/approval`, { status: { conditions: approved } });
      expect(approval.code).toBe(200);
      const signature = await ask("PATCH", `${path}/c/status`, { status: { certificate } });
      expect(signature.object.status).toMatchObject({ certificate, conditions: approved });
    },
  );

  test("may approve without the permission to sign", async () => {
    const [, ask] = await requested({ verbs: ["approve"] });
    expect((await ask("PATCH", `${path}/c/approval`, { status: { conditions: approved } })).code).toBe(200);
    expect((await ask("PATCH", `${path}/c/status`, { status: { certificate } })).code).toBe(403);
  });

  test("may not ask for a client of system:masters, not even as a master", async () => {
    const [cluster, ask] = await requested();
    await cluster.delete("certificates.k8s.io/v1", "CertificateSigningRequest", "c");
    for (const asked of [ask, asking(cluster)]) {
      const { code, findings } = await asked("POST", path, manifest("kubernetes.io/kube-apiserver-client"));
      expect(code).toBe(403);
      expect(findings).toEqual([
        'certificatesigningrequests.certificates.k8s.io "c" is forbidden: use of ' +
          "kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed",
      ]);
    }
    expect((await ask("POST", path, manifest("example.com/s"))).code).toBe(201);
  });
});
