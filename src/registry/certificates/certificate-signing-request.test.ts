import { describe, expect, test } from "vitest";
import { type Ask, asking, quietCluster } from "../../../test/registry/asked.ts";

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

/** A PKCS #10 request that OpenSSL made: O=system:nodes, CN=system:node:n1 */
const der =
  "MIHrMIGSAgEAMDAxFTATBgNVBAoMDHN5c3RlbTpub2RlczEXMBUGA1UEAwwOc3lzdGVtOm5vZGU6bjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQHr7ZJMce03aVRrlHUsLX/wUhwnLOyR8NgS8Gl11Kk18TDP8ZSs2x1m1Ua9PpniVGpV3wnUv07UDVeWIw6FSQzoAAwCgYIKoZIzj0EAwIDSAAwRQIgd2AVZCcnX8ZfzfX66YdkRTKcAEzO3pcc6iSF6hmMdQ8CIQDwcunfMJpvH0k6FUpD20s3SahJSyAUPkvKXRM8kmpT0Q==";
const request = btoa(`-----BEGIN CERTIFICATE REQUEST-----\n${der}\n-----END CERTIFICATE REQUEST-----\n`);
const certificate = btoa("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n");
const good = { request, signerName: "x.io/s", usages: ["client auth"] };

test("the name of a CertificateSigningRequest is looked at when all else is well, and need only fit into a path", async () => {
  const ask = asking(quietCluster());
  const named = (name: string, spec: object) => ask("POST", path, { metadata: { name }, spec });
  expect((await named("a/b", { ...good, usages: [] })).findings).toEqual(["spec.usages: Required value"]);
  expect((await named("a/b", good)).findings).toEqual([
    `metadata.name: Invalid value: "a/b": may not contain '/'`,
  ]);
  expect((await named("A_b", good)).code).toBe(201);
});

describe("a CertificateSigningRequest is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    [
      "what is no request",
      { request: "eA==" },
      ["spec.request: Invalid value: []byte{0x78}: PEM block type must be CERTIFICATE REQUEST"],
    ],
    ["no usage", { usages: [] }, ["spec.usages: Required value"]],
    [
      "usages",
      { usages: ["signing", "signing", "q"] },
      [
        expect.stringMatching(
          /^spec.usages\[2\]: Unsupported value: "q": supported values: "any", "cert sign", /,
        ),
        'spec.usages[1]: Duplicate value: "signing"',
      ],
    ],
    ["no signer", { signerName: "" }, ["spec.signerName: Required value"]],
    [
      "a signer without domain",
      { signerName: "x" },
      [
        "spec.signerName: Invalid value: \"x\": must be a fully qualified domain and path of the form 'example.com/signer-name'",
      ],
    ],
    [
      "a domain of one label",
      { signerName: "x/s" },
      [
        'spec.signerName: Invalid value: "x": should be a domain with at least two segments separated by dots',
      ],
    ],
    [
      "labels that are none",
      { signerName: "A.io/s" },
      [
        expect.stringContaining(
          'spec.signerName: Invalid value: "A.io": validating label "A": a lowercase RFC 1123 label',
        ),
      ],
    ],
    [
      "a path that is none",
      { signerName: "x.io/S" },
      [
        expect.stringContaining(
          'spec.signerName: Invalid value: "S": validating label "S": a lowercase RFC 1123 subdomain',
        ),
      ],
    ],
    [
      "the signer of old",
      { signerName: "kubernetes.io/legacy-unknown" },
      [
        'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
      ],
    ],
    [
      "a short life",
      { expirationSeconds: 599 },
      [
        "spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)",
      ],
    ],
  ])("%s", async (_title, change, findings) => {
    const ask = asking(quietCluster());
    const body = { metadata: { name: "c" }, spec: { ...good, ...change } };
    expect((await ask("POST", path, body)).findings).toEqual(findings);
  });
});

async function requested(): Promise<Ask> {
  const ask = asking(quietCluster());
  await ask("POST", path, { metadata: { name: "c" }, spec: good });
  return ask;
}

const condition = (type: string, status = "True") => ({ type, status });
const conditions = (...list: readonly object[]) => ({ status: { conditions: list } });

describe("a CertificateSigningRequest", () => {
  test("is of who made it, whatever it says, and undecided", async () => {
    const ask = asking(quietCluster());
    const spec = { ...good, username: "somebody", groups: ["all"] };
    const { object } = await ask("POST", path, {
      metadata: { name: "c" },
      spec,
      ...conditions(condition("Approved")),
    });
    expect(object.spec).toMatchObject({
      username: "tester",
      groups: ["system:masters", "system:authenticated"],
    });
    expect(object.status).toEqual({});
    const changed = await ask("PATCH", `${path}/c`, { spec: { signerName: "y.io/s" } });
    expect(changed.object.spec.signerName).toBe("x.io/s");
  });

  test("is decided by its approval alone, once and for all", async () => {
    const ask = await requested();
    const approved = conditions(condition("Approved"));
    expect((await ask("PATCH", `${path}/c/status`, approved)).findings).toEqual([
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ]);
    const { object } = await ask("PATCH", `${path}/c/approval`, approved);
    expect(object.status.conditions).toEqual([
      {
        ...condition("Approved"),
        lastUpdateTime: expect.any(String),
        lastTransitionTime: object.status.conditions[0].lastUpdateTime,
      },
    ]);
    expect((await ask("PATCH", `${path}/c/approval`, conditions())).findings).toEqual([
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    ]);
  });

  test.each<[string, readonly object[], readonly string[]]>([
    [
      "contradict each other",
      [condition("Approved"), condition("Denied")],
      [
        'status.conditions[1].type: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
      ],
    ],
    [
      "are the same, or nothing",
      [condition("a"), condition("a"), condition(""), condition("b", "")],
      [
        'status.conditions[1].type: Duplicate value: "a"',
        "status.conditions[2].type: Required value",
        "status.conditions[3].status: Required value",
      ],
    ],
    [
      "decide nothing",
      [condition("Approved", "False"), condition("a", "Q")],
      [
        'status.conditions[0].status: Unsupported value: "False": supported values: "True"',
        'status.conditions[1].status: Unsupported value: "Q": supported values: "False", "True", "Unknown"',
      ],
    ],
  ])("has no conditions that %s", async (_title, list, findings) => {
    const ask = await requested();
    expect((await ask("PATCH", `${path}/c/approval`, conditions(...list))).findings).toEqual(findings);
  });

  test("is given its certificate by its status alone, once", async () => {
    const ask = await requested();
    const refused = async (text: string) =>
      (await ask("PATCH", `${path}/c/status`, { status: { certificate: btoa(text) } })).findings;
    expect(await refused("x")).toEqual([
      'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
    ]);
    expect(await refused("-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n")).toEqual([
      'status.certificate: Invalid value: "<certificate data>": only CERTIFICATE PEM blocks are allowed, found "KEY"',
    ]);
    const given = { status: { certificate } };
    const byApproval = await ask("PATCH", `${path}/c/approval`, given);
    expect(byApproval.object.status.certificate).toBeUndefined();
    expect((await ask("PATCH", `${path}/c/status`, given)).object.status.certificate).toBe(certificate);
    expect((await ask("PATCH", `${path}/c/status`, { status: { certificate: null } })).findings).toEqual([
      "status.certificate: Forbidden: updates may not modify existing certificate content",
    ]);
  });
});
