import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/apis/certificates.k8s.io/v1alpha1/clustertrustbundles";
const runtimeConfig = new Map([["certificates.k8s.io/v1alpha1", true]]);
const gatedClient = () => testClient(quietCluster({ runtimeConfig }));

function pem(base64: string, { label = "CERTIFICATE", header = "" } = {}): string {
  return `-----BEGIN ${label}-----\n${header}${base64}\n-----END ${label}-----\n`;
}

/** Of an authority that ends in 2126. */
const authority = pem(
  "MIIBcTCCARegAwIBAgIUKPG0lUKBYP471eNShnKsPPlXiSwwCgYIKoZIzj0EAwIwDTELMAkGA1UEAwwCY2EwIBcNMjYxMTIxMTcyODU0WhgPMjEyNjEwMjgxNzI4NTRaMA0xCzAJBgNVBAMMAmNhMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEFT81jHwJlgDkovPbeFwn+jb/rgtfas7ylTTa3K6CKaEe9NnXZZZoyUoF0paxokxKmCxUIp4w4d88BD3Go1LjBqNTMFEwHQYDVR0OBBYEFHwYIWrj9/ky1julnxy0cd12dSXeMB8GA1UdIwQYMBaAFHwYIWrj9/ky1julnxy0cd12dSXeMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAOx4J7KtnQpAyeNVZ/zC1nF+0Q1qYI+12Q+7Z+DZtqcdAiAuI84qKrCMA2MuiaOFhPvvZs1vfXku/v0INIJuy3Nrig==",
);
/** A user who may not sign for any signer at first. */
const leaf = pem(
  "MIIBcjCCARigAwIBAgIUEadmgPCAzNDzHv2lJxJyNA4OUdEwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEbGVhZjAgFw0yNjExMjExNzI4NTRaGA8yMTI2MTAyODE3Mjg1NFowDzENMAsGA1UEAwwEbGVhZjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHjEf42AZotXIr7c7VtiB5ctAvOIyOOXnh4dGV4rTVzXm9TpAUF8xDBZTFnFR7uBBT/jG4oAdgs9UhlKAJGa4nyjUDBOMB0GA1UdDgQWBBSJ22zesXXO/+YbJr3n67Z1yqtruzAfBgNVHSMEGDAWgBSJ22zesXXO/+YbJr3n67Z1yqtruzAMBgNVHRMBAf8EAjAAMAoGCCqGSM49BAMCA0gAMEUCIQDHjMhev0+qIy1aBsKb8OKjQFR/BfDyRpWqcD9mtVgCsQIgCXlsG2T1iQlve6qBd91PYWxej6KmpzWyFknjDTBB01g=",
);
const subdomain = expect.stringContaining("a lowercase RFC 1123 subdomain must consist of");

function bundle(name: string, spec: object): object {
  return { metadata: { name }, spec: { trustBundle: authority, ...spec } };
}

describe("a ClusterTrustBundle is refused for", () => {
  test.each<[title: string, name: string, spec: object, findings: readonly unknown[]]>([
    [
      "a name with a signer prefix, without a signer",
      "a.b:c:d",
      {},
      [
        'metadata.name: Invalid value: "a.b:c:d": ClusterTrustBundle without signer name must not have ":" in its name',
      ],
    ],
    ["an invalid name", "A", {}, [subdomain]],
    [
      "a name that is not its signer's",
      "d",
      { signerName: "a.b/c" },
      [
        'metadata.name: Invalid value: "d": ClusterTrustBundle for signerName a.b/c must be named with prefix a.b:c:',
      ],
    ],
    ["an invalid name after the signer prefix", "a.b:c:D", { signerName: "a.b/c" }, [subdomain]],
    [
      "an invalid signer",
      "a:d",
      { signerName: "a" },
      [
        expect.stringContaining(
          'spec.signerName: Invalid value: "a": must be a fully qualified domain and path',
        ),
      ],
    ],
    ...(
      [
        ["no trust anchor", "no PEM", ["at least one trust anchor must be provided"]],
        ["other blocks", pem("AA==", { label: "KEY" }), ["entry 0 has bad block type: KEY"]],
        ["headers", pem("AA==", { header: "a: b\n\n" }), ["entry 0 has PEM block headers"]],
        ["a value that is not a certificate", authority + pem("AA=="), ["entry 1 does not parse as X.509"]],
        [
          "a certificate that is not an authority",
          leaf + authority,
          ["entry 0 does not have the CA bit set"],
        ],
        ["a duplicate authority", authority + authority, ["duplicate trust anchor (indices [0 1])"]],
      ] as const
    ).map(([title, trustBundle, details]): [string, string, object, readonly string[]] => [
      title,
      "d",
      { trustBundle },
      details.map((detail) => `spec.trustBundle: Invalid value: "<value omitted>": ${detail}`),
    ]),
    [
      "being too long",
      "d",
      { trustBundle: "x".repeat(1024 * 1024 + 1) },
      ["spec.trustBundle: Too long: may not be more than 1048576 bytes"],
    ],
  ])("%s", async (_title, name, spec, findings) => {
    expect((await gatedClient()("POST", path, bundle(name, spec))).findings).toEqual(findings);
  });
});

test("a ClusterTrustBundle may have a signer, which is immutable, and counts its changes", async () => {
  const send = gatedClient();
  const made = await send("POST", path, bundle("a.b:c:d", { signerName: "a.b/c" }));
  expect([made.code, made.object.metadata.generation]).toEqual([201, 1]);
  const { findings } = await send("PATCH", `${path}/a.b:c:d`, {
    spec: { signerName: "a.b/e", trustBundle: "" },
  });
  expect(findings).toEqual([
    'metadata.name: Invalid value: "a.b:c:d": ClusterTrustBundle for signerName a.b/e must be named with prefix a.b:e:',
    'spec.trustBundle: Invalid value: "<value omitted>": at least one trust anchor must be provided',
    'spec.signerName: Invalid value: "a.b/e": field is immutable',
  ]);
  const { object } = await send("PATCH", `${path}/a.b:c:d`, { spec: { trustBundle: `# \n${authority}` } });
  expect(object.metadata.generation).toBe(2);
});
