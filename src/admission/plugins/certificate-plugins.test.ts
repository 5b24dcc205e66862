import { describe, expect, test } from "vitest";
import { isForbidden } from "../../apimachinery/errors/error-predicates.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Authorizer } from "../../authorization/contract/authorizer.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";
import { SideEffects } from "../contract/side-effects.ts";
import { certificateApproval } from "./certificate-approval.ts";
import { certificateSigning } from "./certificate-signing.ts";
import { certificateSubjectRestriction } from "./certificate-subject-restriction.ts";
import { clusterTrustBundleAttest } from "./cluster-trust-bundle-attest.ts";

const group = "certificates.k8s.io";
const requests = "certificatesigningrequests";
const bundles = "clustertrustbundles";

/** PKCS #10 requests made with OpenSSL, by their organizations. */
const ofDevelopers =
  "MIHTMHwCAQAwGjEMMAoGA1UECgwDZGV2MQowCAYDVQQDDAF1MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEL37GK2y9CSifUmEbWJ0/nFC2Ou05Dt0u9LlPXfMiFE6/eUM/go/sNXwsukYnoOQ60yXfSrEGeIFY+xx9+p7CN6AAMAoGCCqGSM49BAMCA0cAMEQCIAN3v9eGIfUSALcl+wcaAhsejrQjyQtr6aY+LVsvqlEYAiArX99NGLx6uV6OApLcpUceoAjy9cFU/7JU2HFQ0xTB4g==";
const ofMasters =
  "MIHgMIGHAgEAMCUxFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMQowCAYDVQQDDAF1MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEL37GK2y9CSifUmEbWJ0/nFC2Ou05Dt0u9LlPXfMiFE6/eUM/go/sNXwsukYnoOQ60yXfSrEGeIFY+xx9+p7CN6AAMAoGCCqGSM49BAMCA0gAMEUCIQDd3TNI5lUmukuocWRBrSNfhC+NFSkQTqEW143COdqbiAIgHvnFCiLdGWTK/zxRlTCJOdU6qOhxXXCQLGGBYFP2CGM=";
const ofDevelopersAndMasters =
  "MIHuMIGVAgEAMDMxDDAKBgNVBAoMA2RldjEXMBUGA1UECgwOc3lzdGVtOm1hc3RlcnMxCjAIBgNVBAMMAXUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQvfsYrbL0JKJ9SYRtYnT+cULY67TkO3S70uU9d8yIUTr95Qz+Cj+w1fCy6Rieg5DrTJd9KsQZ4gVj7HH36nsI3oAAwCgYIKoZIzj0EAwIDSAAwRQIgUaN6zrsMIoHHLSAH4GMDadIT4i6y7RelOyigVXQhQ2ICIQCwW/2839cvhK5digGyyXaTlGQvb7NKE2PwDFNQe20M5w==";

/** Allows alice the listed actions, each written as `verb group/resource name`. */
function allowing(...allowed: readonly string[]): Authorizer {
  return ({ user, info }) => {
    const isAllowed =
      user.name === "alice" &&
      info.isResourceRequest &&
      allowed.includes(`${info.verb} ${info.group}/${info.resource} ${info.name}`);
    return { verdict: isAllowed ? "allow" : "noOpinion", reason: "" };
  };
}

function request(spec: object = {}, status: object = {}): KubeObject {
  return {
    kind: "CertificateSigningRequest",
    apiVersion: `${group}/v1`,
    metadata: { name: "c" },
    spec: { signerName: "example.com/s", ...spec },
    status: { ...status },
  };
}

function bundle(spec: object = { signerName: "example.com/s" }, metadata: object = {}): KubeObject {
  return {
    kind: "ClusterTrustBundle",
    apiVersion: `${group}/v1alpha1`,
    metadata: { name: "example.com:s:b", ...metadata },
    spec: { ...spec },
  };
}

function attributes(write: Partial<AdmissionAttributes>): AdmissionAttributes {
  return {
    operation: "UPDATE",
    gvk: { group, version: "v1", kind: "CertificateSigningRequest" },
    gvr: { group, version: "v1", resource: requests },
    subresource: "",
    namespace: "",
    name: "c",
    object: request(),
    oldObject: request(),
    form: "canonical",
    dryRun: false,
    options: undefined,
    notes: undefined,
    deadline: Number.POSITIVE_INFINITY,
    user: { name: "alice", uid: "", groups: [], extra: {} },
    warn: () => {},
    sideEffects: new SideEffects(),
    ...write,
  };
}

/** `admitted`, or the message of the error. */
async function verdict(plugin: AdmissionPlugin, write: Partial<AdmissionAttributes>): Promise<string> {
  const asked = attributes(write);
  if (!plugin.handles(asked.operation)) return "admitted";
  try {
    await plugin.validate?.(asked);
    return "admitted";
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return error.message;
  }
}

const refusal = (text: string) => `certificatesigningrequests.certificates.k8s.io "c" is forbidden: ${text}`;

describe("an approval", () => {
  const no = refusal('user not permitted to approve requests with signerName "example.com/s"');

  test.each<[string, readonly string[], Partial<AdmissionAttributes>, string]>([
    [
      "requires permission to approve for the signer",
      [`approve ${group}/signers example.com/s`],
      {},
      "admitted",
    ],
    [
      "can be permitted for the domain of the signer",
      [`approve ${group}/signers example.com/*`],
      {},
      "admitted",
    ],
    ["is forbidden without permission", [], {}, no],
    ["is forbidden with permission to sign only", [`sign ${group}/signers example.com/s`], {}, no],
    ["is forbidden with permission for another domain", [`approve ${group}/signers example.org/*`], {}, no],
    [
      "depends on the stored signer, not on the one in the request",
      [`approve ${group}/signers other.io/s`],
      { object: request({ signerName: "other.io/s" }) },
      no,
    ],
    ["is not required for the status", [], { subresource: "status" }, "admitted"],
    ["is not required for the request itself", [], { subresource: "" }, "admitted"],
  ])("%s", async (_title, allowed, write, expected) => {
    const plugin = certificateApproval(allowing(...allowed));
    expect(await verdict(plugin, { subresource: "approval", ...write })).toBe(expected);
  });
});

describe("a signature", () => {
  const no = refusal('user not permitted to sign requests with signerName "example.com/s"');
  const failed = [{ type: "Failed", status: "True" }];

  test.each<[string, readonly string[], Partial<AdmissionAttributes>, string]>([
    [
      "requires permission to sign for the signer",
      [`sign ${group}/signers example.com/s`],
      { object: request({}, { certificate: "eA==" }) },
      "admitted",
    ],
    [
      "can be permitted for the domain of the signer",
      [`sign ${group}/signers example.com/*`],
      { object: request({}, { certificate: "eA==" }) },
      "admitted",
    ],
    ["is forbidden without permission", [], { object: request({}, { certificate: "eA==" }) }, no],
    ["cannot fail the request without permission", [], { object: request({}, { conditions: failed }) }, no],
    [
      "is forbidden with permission to approve only",
      [`approve ${group}/signers example.com/s`],
      { object: request({}, { certificate: "eA==" }) },
      no,
    ],
    [
      "depends on the stored signer, not on the one in the request",
      [`sign ${group}/signers other.io/s`],
      { object: request({ signerName: "other.io/s" }, { certificate: "eA==" }) },
      no,
    ],
    [
      "that exists already needs no permission",
      [],
      {
        object: request({}, { certificate: "eA==", conditions: failed }),
        oldObject: request({}, { certificate: "eA==", conditions: failed }),
      },
      "admitted",
    ],
    [
      "is checked for the status only",
      [],
      { subresource: "", object: request({}, { certificate: "eA==" }) },
      "admitted",
    ],
  ])("%s", async (_title, allowed, write, expected) => {
    const plugin = certificateSigning(allowing(...allowed));
    expect(await verdict(plugin, { subresource: "status", ...write })).toBe(expected);
  });
});

describe("the subject of a request", () => {
  const no = refusal(
    "use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed",
  );

  test.each<[string, string, string, Partial<AdmissionAttributes>, string]>([
    ["can be a developer", "kubernetes.io/kube-apiserver-client", ofDevelopers, {}, "admitted"],
    ["cannot be in system:masters", "kubernetes.io/kube-apiserver-client", ofMasters, {}, no],
    [
      "cannot be in system:masters among other groups",
      "kubernetes.io/kube-apiserver-client",
      ofDevelopersAndMasters,
      {},
      no,
    ],
    ["can be in system:masters for other signers", "example.com/s", ofMasters, {}, "admitted"],
    [
      "is checked on creation only",
      "kubernetes.io/kube-apiserver-client",
      ofMasters,
      { operation: "UPDATE" },
      "admitted",
    ],
  ])("%s", async (_title, signerName, der, write, expected) => {
    const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${der}\n-----END CERTIFICATE REQUEST-----\n`;
    const object = request({ signerName, request: btoa(pem) });
    const created = { operation: "CREATE", object, oldObject: undefined, ...write } as const;
    expect(await verdict(certificateSubjectRestriction(), created)).toBe(expected);
  });
});

describe("a trust bundle of a signer", () => {
  const no =
    'clustertrustbundles.certificates.k8s.io "example.com:s:b" is forbidden: user not permitted to attest for ' +
    'signerName "example.com/s"';
  const open = featureGates("1.32", new Map([["ClusterTrustBundle", true]]));
  const closed = featureGates("1.32");
  const created = { operation: "CREATE", oldObject: undefined } as const;
  const changed = { oldObject: bundle({ signerName: "example.com/s", trustBundle: "x" }) };

  test.each<[string, readonly string[], Partial<AdmissionAttributes>, string]>([
    [
      "requires permission to attest for the signer",
      [`attest ${group}/signers example.com/s`],
      created,
      "admitted",
    ],
    [
      "can be permitted for the domain of the signer",
      [`attest ${group}/signers example.com/*`],
      created,
      "admitted",
    ],
    ["cannot be created without permission", [], created, no],
    ["cannot be changed without permission", [], changed, no],
    ["needs no permission without a signer", [], { ...created, object: bundle({}) }, "admitted"],
    [
      "can change its owners, finalizers and managed fields without permission",
      [],
      {
        object: bundle(undefined, { finalizers: ["x/y"], managedFields: [], ownerReferences: [] }),
        oldObject: bundle(),
      },
      "admitted",
    ],
    [
      "cannot change its labels without permission",
      [],
      { object: bundle(undefined, { labels: { a: "b" } }), oldObject: bundle() },
      no,
    ],
  ])("%s", async (_title, allowed, write, expected) => {
    const about = {
      gvr: { group, version: "v1alpha1", resource: bundles },
      name: "example.com:s:b",
      object: bundle(),
      ...write,
    };
    expect(await verdict(clusterTrustBundleAttest(allowing(...allowed), open), about)).toBe(expected);
    expect(await verdict(clusterTrustBundleAttest(allowing(...allowed), closed), about)).toBe("admitted");
  });
});
