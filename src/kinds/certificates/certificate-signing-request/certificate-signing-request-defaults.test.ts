import { describe, expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { parseCertificateRequest } from "./certificate-request.ts";

const kind = "certificates.k8s.io/v1beta1/CertificateSigningRequest";
const clientUsages = ["key encipherment", "client auth", "digital signature"];
const servingUsages = ["digital signature", "server auth"];

/** PKCS #10 requests generated with OpenSSL, in DER. */
const requests = {
  /** O=system:nodes, CN=system:node:n1 */
  node: "MIHrMIGSAgEAMDAxFTATBgNVBAoMDHN5c3RlbTpub2RlczEXMBUGA1UEAwwOc3lzdGVtOm5vZGU6bjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQHr7ZJMce03aVRrlHUsLX/wUhwnLOyR8NgS8Gl11Kk18TDP8ZSs2x1m1Ua9PpniVGpV3wnUv07UDVeWIw6FSQzoAAwCgYIKoZIzj0EAwIDSAAwRQIgd2AVZCcnX8ZfzfX66YdkRTKcAEzO3pcc6iSF6hmMdQ8CIQDwcunfMJpvH0k6FUpD20s3SahJSyAUPkvKXRM8kmpT0Q==",
  /** The same with DNS:n1 and IP:10.0.0.1 */
  server:
    "MIIBETCBuAIBADAwMRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxFzAVBgNVBAMMDnN5c3RlbTpub2RlOm4xMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEgf6gSvJYv4D9ZR9fNQkh+KjGu8U/JhMWGvxGjOlEuZNqavs+Zy00jqlsYMRzkJ9sCyCGB3l7sTfhUO2pOr3AoqAmMCQGCSqGSIb3DQEJDjEXMBUwEwYDVR0RBAwwCoICbjGHBAoAAAEwCgYIKoZIzj0EAwIDSAAwRQIhAOT59UTigrxkNqkrkDiPjLH0vtEjm4fE1tCD31rzmCQoAiBnEzqGYOkVI69Nhjl4tlscqbutXHrjOEizboyss7tsbQ==",
  /** The same with DNS:n1 and email:a@b.c */
  mail: "MIIBEjCBuQIBADAwMRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxFzAVBgNVBAMMDnN5c3RlbTpub2RlOm4xMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAELPgD3lcq4w7wzIdepzRjRcy0krUwV3ycxe+nqWDY2q2AYc0SuavavbsRtIb3++5wWUKzzED6NvFYlOoYwp3phqAnMCUGCSqGSIb3DQEJDjEYMBYwFAYDVR0RBA0wC4ICbjGBBWFAYi5jMAoGCCqGSM49BAMCA0gAMEUCIQCsRlD002hWW7EmFaSwyrTwCpZIdcKvjcg/o30rb3y6ZgIgfF3VVJIvcN/3ndhzPA21NLK+V+5RWwQZPOozmuRm9UU=",
  /** The same with URI:https://x/ */
  site: "MIIBFDCBugIBADAwMRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxFzAVBgNVBAMMDnN5c3RlbTpub2RlOm4xMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE/sliqkYvwIcWOvEu/Thit8i8HGEYDyEh1+lPnfJP3zmoFmivKT/TjYO2pFsztIczWqiE19sxPJCNrv5hkXpyTqAoMCYGCSqGSIb3DQEJDjEZMBcwFQYDVR0RBA4wDIYKaHR0cHM6Ly94LzAKBggqhkjOPQQDAgNJADBGAiEAqn+Sr6SC/rypNFFa14h3Ey1TlIvhwOFieC4hltY764ECIQCqJiwksqqgXIPItB43Nb8mgqZma0o0JluoiT3ykseXQQ==",
  /** O=dev, CN=system:node:n1 */
  otherOrganization:
    "MIHiMIGJAgEAMCcxDDAKBgNVBAoMA2RldjEXMBUGA1UEAwwOc3lzdGVtOm5vZGU6bjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASh+cMp6Bmqy2vc+mhaOPudVUUaOOzNUns+A8QY6rYrwM80H9oJcAvtrLQ0nF5gG6o4IPpSxXrtGI/xXpMHJ1HhoAAwCgYIKoZIzj0EAwIDSAAwRQIhAPt5yvJ8iCbV5IUjhDkk07MJSOOvQEqJiMlaQVZvJtc9AiAeno8abtI5V6t1voezgzu4oQCeHr+36cHwRJ0MY4gHyA==",
  /** O=system:nodes, O=dev, CN=system:node:n1 */
  twoOrganizations:
    "MIH4MIGgAgEAMD4xFTATBgNVBAoMDHN5c3RlbTpub2RlczEMMAoGA1UECgwDZGV2MRcwFQYDVQQDDA5zeXN0ZW06bm9kZTpuMTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEnG2sy+2vXo60sIT/vs19t2bNociT/OsJbVf5ADy5xyFqiGP/pnvDKEJNTNlIHXPU0QqxOLBdyntyyvcrrT2f+gADAKBggqhkjOPQQDAgNHADBEAiBFPcOJGP7jd/x3bKRQOfSFlMNeYI54EhQdpYRKPhJ++gIgew4fjVz+qz6BIhbiJ3nQqTyyGWT9L4wauuHFsfCEeFs=",
  /** O=system:nodes, CN=alice */
  otherName:
    "MIHiMIGJAgEAMCcxFTATBgNVBAoMDHN5c3RlbTpub2RlczEOMAwGA1UEAwwFYWxpY2UwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAS+3FGHCPUo4uf4qTk+gsHDe7dV7Xt7PUJ7yJpziR8G1zU+pc8//G57MX72/OfZkJbURkoIkivb15figJ2gBteRoAAwCgYIKoZIzj0EAwIDSAAwRQIgLQ+jqtBjdbX8xm7zSxFj4DRRrFTDWBsiVPRd7AH2yn4CIQDAx+01AweaNplZIarDPqI7gAktRm61+bd8m6STNlW5lw==",
} as const;

/** The request in PEM, in base64. */
function requestOf(name: keyof typeof requests): string {
  return btoa(`# a comment\n${pem(requests[name])}\n`);
}

function pem(base64: string): string {
  const lines = base64.match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE REQUEST-----", ...lines, "-----END CERTIFICATE REQUEST-----"].join("\n");
}

describe("a CertificateSigningRequest of v1beta1", () => {
  test.each<[title: string, name: keyof typeof requests, usages: readonly string[], signer: string]>([
    ["of a kubelet for its client", "node", clientUsages, "kube-apiserver-client-kubelet"],
    ["of a kubelet without RSA", "node", clientUsages.slice(1), "kube-apiserver-client-kubelet"],
    ["of a kubelet for serving", "server", servingUsages, "kubelet-serving"],
    [
      "of a kubelet for serving with RSA",
      "server",
      [...servingUsages, "key encipherment"],
      "kubelet-serving",
    ],
    ["for a client with names", "server", clientUsages, "legacy-unknown"],
    ["for serving without names", "node", servingUsages, "legacy-unknown"],
    ["with a mail address", "mail", servingUsages, "legacy-unknown"],
    ["with a URL", "site", clientUsages, "legacy-unknown"],
    ["for more usages", "node", [...clientUsages, "server auth"], "legacy-unknown"],
    ["for fewer usages", "node", ["client auth"], "legacy-unknown"],
    ["of another organization", "otherOrganization", clientUsages, "legacy-unknown"],
    ["of two organizations", "twoOrganizations", clientUsages, "legacy-unknown"],
    ["of another user", "otherName", clientUsages, "legacy-unknown"],
  ])("%s is for its signer", (_, name, usages, signer) => {
    const { spec } = defaulted(kind, { spec: { request: requestOf(name), usages } }, "1.20");
    expect(spec).toMatchObject({ signerName: `kubernetes.io/${signer}`, usages });
  });

  test.each<[title: string, sent: JsonObject, expected: JsonObject]>([
    [
      "says what it is for",
      {},
      {
        spec: {
          usages: ["digital signature", "key encipherment"],
          signerName: "kubernetes.io/legacy-unknown",
        },
      },
    ],
    ["keeps its signer", { spec: { signerName: "a.b/c", usages: [] } }, { spec: { signerName: "a.b/c" } }],
    [
      "has conditions that are true",
      { status: { conditions: [{ type: "Approved" }] } },
      { status: { conditions: [{ status: "True" }] } },
    ],
  ])("%s", (_, sent, expected) => expect(defaulted(kind, sent, "1.20")).toMatchObject(expected));
});

describe("a certificate request", () => {
  test("is parsed with its names", () => {
    expect(parseCertificateRequest(requestOf("server"))).toEqual({
      commonName: "system:node:n1",
      organizations: ["system:nodes"],
      dnsNames: 1,
      ipAddresses: 1,
      emailAddresses: 0,
      uris: 0,
    });
  });

  test("that is truncated anywhere is invalid", () => {
    const der = atob(requests.server);
    for (let length = 0; length < der.length; length++) {
      expect(parseCertificateRequest(btoa(pem(btoa(der.slice(0, length)))))).toBeUndefined();
    }
  });

  test.each([
    ["no base64", "?"],
    ["no PEM", btoa("hello")],
    ["another PEM", btoa("-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----")],
    ["no end", btoa("-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n")],
    ["no base64 within", btoa("-----BEGIN CERTIFICATE REQUEST-----\n?\n-----END CERTIFICATE REQUEST-----")],
    [
      "an empty sequence",
      btoa("-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----"),
    ],
  ])("is not parsed from %s", (_, base64) => expect(parseCertificateRequest(base64)).toBeUndefined());
});

test("a PodCertificateRequest asks for at most a day", () => {
  const request = defaulted("certificates.k8s.io/v1alpha1/PodCertificateRequest", {}, "1.34");
  expect(request).toMatchObject({ spec: { maxExpirationSeconds: 86400 } });
});
