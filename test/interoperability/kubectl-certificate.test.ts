import { beforeAll, expect, test } from "vitest";
import { describeKubectl } from "./kubectl.ts";

/** A PKCS #10 request for O=system:nodes, CN=system:node:n1. */
const der =
  "MIHrMIGSAgEAMDAxFTATBgNVBAoMDHN5c3RlbTpub2RlczEXMBUGA1UEAwwOc3lzdGVtOm5vZGU6bjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQHr7ZJMce03aVRrlHUsLX/wUhwnLOyR8NgS8Gl11Kk18TDP8ZSs2x1m1Ua9PpniVGpV3wnUv07UDVeWIw6FSQzoAAwCgYIKoZIzj0EAwIDSAAwRQIgd2AVZCcnX8ZfzfX66YdkRTKcAEzO3pcc6iSF6hmMdQ8CIQDwcunfMJpvH0k6FUpD20s3SahJSyAUPkvKXRM8kmpT0Q==";
const request = btoa(`-----BEGIN CERTIFICATE REQUEST-----\n${der}\n-----END CERTIFICATE REQUEST-----\n`);

describeKubectl("kubectl certificate", ({ cluster, kubectl, refusal }) => {
  const conditions = async (name: string) => {
    const { status } = await cluster.get("certificates.k8s.io/v1", "CertificateSigningRequest", name);
    return (status as { readonly conditions?: unknown }).conditions;
  };
  const condition = (type: string, reason: string, message: string) => ({
    type,
    status: "True",
    reason,
    message,
    lastTransitionTime: expect.any(String),
    lastUpdateTime: expect.any(String),
  });

  beforeAll(() =>
    cluster.load(
      ["good", "bad"].map((name) => ({
        apiVersion: "certificates.k8s.io/v1",
        kind: "CertificateSigningRequest",
        metadata: { name },
        spec: { request, signerName: "example.com/signer", usages: ["client auth"] },
      })),
    ),
  );

  test("approve", async () => {
    expect(await kubectl("certificate approve good")).toBe(
      "certificatesigningrequest.certificates.k8s.io/good approved\n",
    );
    expect(await conditions("good")).toEqual([
      condition("Approved", "KubectlApprove", "This CSR was approved by kubectl certificate approve."),
    ]);
    expect(await kubectl("get csr good --no-headers")).toMatch(/ Approved\n$/);
  });

  test("deny", async () => {
    expect(await kubectl("certificate deny bad")).toBe(
      "certificatesigningrequest.certificates.k8s.io/bad denied\n",
    );
    expect(await conditions("bad")).toEqual([
      condition("Denied", "KubectlDeny", "This CSR was denied by kubectl certificate deny."),
    ]);
  });

  test("a decision is final", async () => {
    await kubectl("certificate approve good");
    expect(await conditions("good")).toHaveLength(1);
    expect(await refusal("certificate deny good")).toBe(
      'error: certificate signing request "good" is already Approved\n',
    );
    expect(await refusal("certificate approve missing")).toBe(
      'Error from server (NotFound): certificatesigningrequests.certificates.k8s.io "missing" not found\n',
    );
  });
});
