import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../src/apimachinery/clock.ts";
import type { KubeObject } from "../../../src/apimachinery/object-meta.ts";
import { collectErrors } from "../../../src/apimachinery/validation/findings.ts";
import {
  addRequestUpdateErrors,
  type RequestEndpoint,
} from "../../../src/kinds/certificates/certificate-signing-request/certificate-signing-request-validation.ts";
import { createAuthority } from "../../../src/transports/node/certificates.ts";
import { fieldErrorLines } from "../../field-errors.ts";
import { quietCluster, type SendRequest, testClient } from "../../registry/test-client.ts";

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

/** A PKCS #10 request created by OpenSSL: O=system:nodes, CN=system:node:n1 */
const der =
  "MIHrMIGSAgEAMDAxFTATBgNVBAoMDHN5c3RlbTpub2RlczEXMBUGA1UEAwwOc3lzdGVtOm5vZGU6bjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQHr7ZJMce03aVRrlHUsLX/wUhwnLOyR8NgS8Gl11Kk18TDP8ZSs2x1m1Ua9PpniVGpV3wnUv07UDVeWIw6FSQzoAAwCgYIKoZIzj0EAwIDSAAwRQIgd2AVZCcnX8ZfzfX66YdkRTKcAEzO3pcc6iSF6hmMdQ8CIQDwcunfMJpvH0k6FUpD20s3SahJSyAUPkvKXRM8kmpT0Q==";
const csrRequest = (base64: string) =>
  btoa(`-----BEGIN CERTIFICATE REQUEST-----\n${base64}\n-----END CERTIFICATE REQUEST-----\n`);
const request = csrRequest(der);
const certificate = btoa(createAuthority().certificate);
const good = { request, signerName: "x.io/s", usages: ["client auth"] };

test("the name of a CertificateSigningRequest is checked last, and only has to fit into a path", async () => {
  const send = testClient(quietCluster());
  const named = (name: string, spec: object) => send("POST", path, { metadata: { name }, spec });
  expect((await named("a/b", { ...good, usages: [] })).findings).toEqual(["spec.usages: Required value"]);
  expect((await named("a/b", good)).findings).toEqual([
    `metadata.name: Invalid value: "a/b": may not contain '/'`,
  ]);
  expect((await named("A_b", good)).code).toBe(201);
});

describe("a CertificateSigningRequest is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    [
      "a value that is not a request",
      { request: "eA==" },
      ["spec.request: Invalid value: []byte{0x78}: PEM block type must be CERTIFICATE REQUEST"],
    ],
    [
      "a truncated request",
      { request: csrRequest(der.slice(0, 200)) },
      [
        expect.stringMatching(
          /^spec.request: Invalid value: \[\]byte\{0x2d, .*\}: asn1: syntax error: data truncated$/,
        ),
      ],
    ],
    [
      "an empty request",
      { request: csrRequest("") },
      [expect.stringMatching(/: asn1: syntax error: sequence truncated$/)],
    ],
    [
      "a request of one byte",
      { request: csrRequest("MA==") },
      [expect.stringMatching(/: asn1: syntax error: truncated tag or length$/)],
    ],
    [
      "a request that is a number",
      { request: csrRequest("AgEA") },
      [
        expect.stringMatching(
          /: asn1: structure error: tags don't match \(16 vs \{class:0 tag:2 length:1 isCompound:false\}\) \{optional:false .*\} certificateRequest @2$/,
        ),
      ],
    ],
    [
      "no request",
      { request: null },
      ["spec.request: Invalid value: []byte(nil): PEM block type must be CERTIFICATE REQUEST"],
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
      "invalid labels",
      { signerName: "A.io/s" },
      [
        expect.stringContaining(
          'spec.signerName: Invalid value: "A.io": validating label "A": a lowercase RFC 1123 label',
        ),
      ],
    ],
    [
      "a long domain and a long name",
      { signerName: `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}/s` },
      ["spec.signerName: Too long: may not be more than 253 bytes"],
    ],
    [
      "a long name",
      { signerName: `x.io/${Array.from({ length: 9 }, () => "s".repeat(63)).join(".")}` },
      ["spec.signerName: Too long: may not be more than 571 bytes"],
    ],
    [
      "an invalid path",
      { signerName: "x.io/S" },
      [
        expect.stringContaining(
          'spec.signerName: Invalid value: "S": validating label "S": a lowercase RFC 1123 subdomain',
        ),
      ],
    ],
    [
      "the legacy signer",
      { signerName: "kubernetes.io/legacy-unknown" },
      [
        'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
      ],
    ],
    [
      "a short lifetime",
      { expirationSeconds: 599 },
      [
        "spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)",
      ],
    ],
  ])("%s", async (_title, change, findings) => {
    const send = testClient(quietCluster());
    const body = { metadata: { name: "c" }, spec: { ...good, ...change } };
    expect((await send("POST", path, body)).findings).toEqual(findings);
  });
});

async function requested(): Promise<SendRequest> {
  const send = testClient(quietCluster());
  await send("POST", path, { metadata: { name: "c" }, spec: good });
  return send;
}

const condition = (type: string, status = "True") => ({ type, status });
const conditions = (...list: readonly object[]) => ({ status: { conditions: list } });

describe("a CertificateSigningRequest", () => {
  test("has the user who created it, regardless of its spec, and no decision", async () => {
    const send = testClient(quietCluster());
    const spec = { ...good, username: "somebody", groups: ["all"] };
    const { object } = await send("POST", path, {
      metadata: { name: "c" },
      spec,
      ...conditions(condition("Approved")),
    });
    expect(object.spec).toMatchObject({
      username: "tester",
      groups: ["system:masters", "system:authenticated"],
    });
    expect(object.status).toEqual({});
    const changed = await send("PATCH", `${path}/c`, { spec: { signerName: "y.io/s" } });
    expect(changed.object.spec.signerName).toBe("x.io/s");
  });

  test("is decided only through its approval, once", async () => {
    const send = await requested();
    const approved = conditions(condition("Approved"));
    expect((await send("PATCH", `${path}/c/status`, approved)).findings).toEqual([
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ]);
    const { object } = await send("PATCH", `${path}/c/approval`, approved);
    expect(object.status.conditions).toEqual([
      {
        ...condition("Approved"),
        lastUpdateTime: expect.any(String),
        lastTransitionTime: object.status.conditions[0].lastUpdateTime,
      },
    ]);
    expect((await send("PATCH", `${path}/c/approval`, conditions())).findings).toEqual([
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    ]);
  });

  test("keeps its decisions, and the times of unchanged conditions, on status updates", async () => {
    const clock = new VirtualClock(Date.parse("2026-01-01T00:00:00Z"));
    const send = testClient(quietCluster({ clock }));
    await send("POST", path, { metadata: { name: "c" }, spec: good });
    const started = "2026-01-01T00:00:00Z";
    const times = { lastUpdateTime: started, lastTransitionTime: started };
    await send("PATCH", `${path}/c/approval`, conditions(condition("Approved")));
    await clock.advance(60_000);
    const forged = { ...condition("Approved"), reason: "forged" };
    const failed = { ...condition("Failed"), lastTransitionTime: "2020-01-01T00:00:00Z" };
    const { object } = await send("PATCH", `${path}/c/status`, conditions(forged, failed));
    const later = "2026-01-01T00:01:00Z";
    expect(object.status.conditions).toEqual([
      { ...condition("Approved"), ...times },
      { ...failed, lastUpdateTime: later },
    ]);
    await clock.advance(60_000);
    const again = await send(
      "PATCH",
      `${path}/c/approval`,
      conditions(condition("Approved"), condition("Failed")),
    );
    expect(again.object.status.conditions).toEqual([
      { ...condition("Approved"), lastUpdateTime: "2026-01-01T00:02:00Z", lastTransitionTime: started },
      { ...failed, lastUpdateTime: "2026-01-01T00:02:00Z" },
    ]);
  });

  test("contains all attributes of the user who created it", async () => {
    const user = { name: "somebody", uid: "u", groups: ["system:masters"], extra: { k: ["v"] } };
    const cluster = quietCluster({ tokens: new Map([["t", user]]) });
    const response = await cluster.fetch(`https://cluster.test${path}`, {
      method: "POST",
      headers: { authorization: "Bearer t", "content-type": "application/json" },
      body: JSON.stringify({ metadata: { name: "c" }, spec: good }),
    });
    const { spec } = (await response.json()) as { readonly spec: object };
    expect(spec).toMatchObject({ username: "somebody", uid: "u", extra: { k: ["v"] } });
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
      "are duplicate or empty",
      [condition("a"), condition("a"), condition(""), condition("b", "")],
      [
        'status.conditions[1].type: Duplicate value: "a"',
        "status.conditions[2].type: Required value",
        "status.conditions[3].status: Required value",
      ],
    ],
    [
      "have an invalid status",
      [condition("Approved", "False"), condition("a", "Q")],
      [
        'status.conditions[0].status: Unsupported value: "False": supported values: "True"',
        'status.conditions[1].status: Unsupported value: "Q": supported values: "False", "True", "Unknown"',
      ],
    ],
  ])("has no conditions that %s", async (_title, list, findings) => {
    const send = await requested();
    expect((await send("PATCH", `${path}/c/approval`, conditions(...list))).findings).toEqual(findings);
  });

  test("gets its certificate only through its status, once", async () => {
    const send = await requested();
    const refused = async (text: string) =>
      (await send("PATCH", `${path}/c/status`, { status: { certificate: btoa(text) } })).findings;
    expect(await refused("x")).toEqual([
      'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
    ]);
    const block = (label: string, body: string) =>
      `-----BEGIN ${label}-----\n${body}-----END ${label}-----\n`;
    for (const [text, problem] of [
      [block("KEY", "AAAA\n"), 'only CERTIFICATE PEM blocks are allowed, found "KEY"'],
      [block("CERTIFICATE", "K: v\n\nAAAA\n"), "no PEM block headers are permitted"],
      [block("CERTIFICATE", ""), "found CERTIFICATE PEM block containing 0 certificates"],
      [block("CERTIFICATE", "MIIB\n"), "x509: malformed certificate"],
      [block("CERTIFICATE", "MAA=\n"), "x509: malformed tbs certificate"],
    ] as const) {
      expect(await refused(text)).toEqual([
        `status.certificate: Invalid value: "<certificate data>": ${problem}`,
      ]);
    }
    const given = { status: { certificate } };
    const byApproval = await send("PATCH", `${path}/c/approval`, given);
    expect(byApproval.object.status.certificate).toBeUndefined();
    expect((await send("PATCH", `${path}/c/status`, given)).object.status.certificate).toBe(certificate);
    expect((await send("PATCH", `${path}/c/status`, { status: { certificate: null } })).findings).toEqual([
      "status.certificate: Forbidden: updates may not modify existing certificate content",
    ]);
  });
});

test("a CertificateSigningRequest of v1beta1 may have the legacy signer, and unknown or duplicate usages", async () => {
  const send = testClient(quietCluster({ release: "1.21" }));
  const beta = path.replace("/v1/", "/v1beta1/");
  const body = { metadata: { name: "c" }, spec: { request, usages: ["q", "q"] } };
  expect((await send("POST", beta, body)).object.spec).toMatchObject({
    signerName: "kubernetes.io/legacy-unknown",
    usages: ["q", "q"],
  });
  const approved = await send("PATCH", `${path}/c/approval`, conditions(condition("Approved")));
  expect(approved.code).toBe(200);
  const wrong = { metadata: { name: "d" }, spec: { request: "eA==", usages: [] } };
  expect((await send("POST", beta, wrong)).findings.map((finding) => finding.split(":")[0])).toEqual([
    "spec.request",
    "spec.usages",
  ]);
  expect((await send("POST", path, body)).code).toBe(422);
});

describe("a CertificateSigningRequest from before a validation rule", () => {
  const changed = (now: object, before: object, endpoint: RequestEndpoint = "object") => {
    const object = ({ status = {}, ...more }: { readonly status?: object }) =>
      ({ metadata: { name: "c" }, spec: { ...good, ...more }, status }) as unknown as KubeObject;
    return fieldErrorLines(
      collectErrors((errors) => addRequestUpdateErrors(errors, object(now), object(before), endpoint)),
    );
  };
  const decided = (...list: readonly object[]) => ({ status: { conditions: list } });

  test.each<[string, object, object, readonly unknown[]]>([
    [
      "unknown usages",
      { usages: ["q"] },
      { usages: ["any"] },
      [expect.stringContaining("spec.usages[0]: Unsupported")],
    ],
    [
      "duplicate usages",
      { usages: ["any", "any"] },
      { usages: ["any"] },
      ['spec.usages[1]: Duplicate value: "any"'],
    ],
    [
      "the legacy signer",
      { signerName: "kubernetes.io/legacy-unknown" },
      {},
      [expect.stringContaining("the legacy signerName is not allowed via this API version")],
    ],
    [
      "both decisions",
      decided(condition("Approved"), condition("Denied")),
      decided(condition("Approved")),
      [
        expect.stringContaining("Approved and Denied conditions are mutually exclusive"),
        'status.conditions: Forbidden: updates may not add a condition of type "Denied"',
      ],
    ],
    [
      "duplicate conditions",
      decided(condition("a"), condition("a")),
      decided(condition("a")),
      ['status.conditions[1].type: Duplicate value: "a"'],
    ],
    ["conditions of no type", decided(condition("")), {}, ["status.conditions[0].type: Required value"]],
    [
      "an invalid certificate",
      { status: { certificate: btoa("x") } },
      { status: { certificate } },
      [
        expect.stringContaining("must contain at least one CERTIFICATE PEM block"),
        "status.certificate: Forbidden: updates may not set certificate content",
      ],
    ],
  ])("may keep %s", (_title, now, before, findings) => {
    expect(changed(now, now)).toEqual([]);
    expect(changed(now, before)).toEqual(findings);
  });

  test("cannot have its decision changed", () => {
    const denied = (reason: string) => decided({ ...condition("Denied"), reason });
    expect(changed(denied("b"), denied("a"), "approval")).toEqual([]);
    expect(changed(denied("b"), denied("a"), "status")).toEqual([
      expect.stringMatching(
        /^status.conditions: Forbidden: updates may not modify a condition of type "Denied"\n/,
      ),
    ]);
  });

  test("may have a bad certificate replaced by another", () => {
    const bad = (text: string) => ({ status: { certificate: btoa(text) } });
    expect(changed(bad("y"), bad("x"), "status")).toEqual([
      "status.certificate: Forbidden: updates may not modify existing certificate content",
    ]);
  });
});
