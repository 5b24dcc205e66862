import { describe, expect, test } from "vitest";
import { createCluster } from "../../../src/index.ts";
import { createAuthority } from "../../../src/transports/node/certificates.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const core = "/api/v1/namespaces/default";
const keyRule =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

test.each<[string, object, readonly string[]]>([
  [
    "a key that is not a file name",
    { data: { "a b": "1" } },
    [`data[a b]: Invalid value: "a b": ${keyRule}`],
  ],
  ["the key ..", { binaryData: { "..": "" } }, [`binaryData[..]: Invalid value: "..": must not be '..'`]],
  [
    "a key in both bags",
    { data: { dup: "1" }, binaryData: { dup: "AA==" } },
    ['data[dup]: Invalid value: "dup": duplicate of key present in binaryData'],
  ],
  [
    "more than a mebibyte",
    { data: { a: "ä".repeat(524289) } },
    ["[]: Too long: may not be more than 1048576 bytes"],
  ],
])("a ConfigMap is refused for %s", async (_title, body, findings) => {
  const send = testClient(quietCluster());
  expect((await send("POST", `${core}/configmaps`, { metadata: { name: "c" }, ...body })).findings).toEqual(
    findings,
  );
});

test.each([["configmaps"], ["secrets"]])("immutable %s can change only their metadata", async (resource) => {
  const send = testClient(quietCluster());
  const path = `${core}/${resource}`;
  await send("POST", path, { metadata: { name: "x" }, immutable: true, data: { a: "MQ==" } });
  const detail = "Forbidden: field is immutable when `immutable` is set";
  expect((await send("PATCH", `${path}/x`, { data: { a: "Mg==" } })).findings).toEqual([`data: ${detail}`]);
  expect((await send("PATCH", `${path}/x`, { immutable: null })).findings).toEqual([`immutable: ${detail}`]);
  expect((await send("PATCH", `${path}/x`, { metadata: { labels: { a: "b" } } })).code).toBe(200);
});

const json = (text: string) => btoa(text);

describe("a Secret is refused", () => {
  test.each<[string, object, readonly string[]]>([
    [
      "of a docker config without one",
      { type: "kubernetes.io/dockerconfigjson" },
      ["data[.dockerconfigjson]: Required value"],
    ],
    [
      "with a docker config that is not JSON",
      { type: "kubernetes.io/dockercfg", data: { ".dockercfg": json("{}1") } },
      [
        "data[.dockercfg]: Invalid value: \"<secret contents redacted>\": invalid character '1' after top-level value",
      ],
    ],
    [
      "with a docker config that is not an object",
      { type: "kubernetes.io/dockercfg", data: { ".dockercfg": json("[]") } },
      [
        'data[.dockercfg]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
      ],
    ],
    [
      "of a docker config that is a text, a number or a truth",
      { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": json('"x"') } },
      [
        'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": json: cannot unmarshal string into Go value of type map[string]interface {}',
      ],
    ],
    [
      "with a key that is not a file name",
      { data: { "a b": "" } },
      [`data[a b]: Invalid value: "a b": ${keyRule}`],
    ],
    [
      "of a login without either",
      { type: "kubernetes.io/basic-auth" },
      ["data[username]: Required value", "data[password]: Required value"],
    ],
    [
      "of a key that is empty",
      { type: "kubernetes.io/ssh-auth", data: { "ssh-privatekey": "" } },
      ["data[ssh-privatekey]: Required value"],
    ],
    [
      "of a pair with a half",
      { type: "kubernetes.io/tls", data: { "tls.crt": "" } },
      ["data[tls.key]: Required value"],
    ],
    [
      "with a token without a service account",
      { type: "kubernetes.io/service-account-token" },
      ["metadata.annotations[kubernetes.io/service-account.name]: Required value"],
    ],
    [
      "with too much in it",
      { stringData: { a: "x".repeat(1048577) } },
      ["data: Too long: may not be more than 1048576 bytes"],
    ],
  ])("%s", async (_title, body, findings) => {
    const send = testClient(quietCluster());
    expect((await send("POST", `${core}/secrets`, { metadata: { name: "s" }, ...body })).findings).toEqual(
      findings,
    );
  });
});

describe("a Secret", () => {
  test("stores stringData as data, which it overrides", async () => {
    const send = testClient(quietCluster());
    const body = { metadata: { name: "s" }, data: { a: "MQ==", b: "Mg==" }, stringData: { a: "ä" } };
    const { object } = await send("POST", `${core}/secrets`, body);
    expect(object.data).toEqual({ a: "w6Q=", b: "Mg==" });
    expect(object.stringData).toBeUndefined();
    const { object: patched } = await send("PATCH", `${core}/secrets/s`, { stringData: { c: "x" } });
    expect(patched.data).toEqual({ a: "w6Q=", b: "Mg==", c: "eA==" });
  });

  test("cannot change its type", async () => {
    const send = testClient(quietCluster());
    await send("POST", `${core}/secrets`, { metadata: { name: "s" } });
    const { findings } = await send("PATCH", `${core}/secrets/s`, { type: "x" });
    expect(findings).toEqual(['type: Invalid value: "x": field is immutable']);
  });

  test("of a mismatched pair is stored with a warning on each write", async () => {
    const send = testClient(quietCluster());
    const body = {
      metadata: { name: "s" },
      type: "kubernetes.io/tls",
      data: { "tls.crt": "", "tls.key": "" },
    };
    const warnings = ["tls: failed to find any PEM data in certificate input"];
    expect(await send("POST", `${core}/secrets`, body)).toMatchObject({ code: 201, warnings });
    const labelled = await send("PATCH", `${core}/secrets/s`, { metadata: { labels: { a: "b" } } });
    expect(labelled).toMatchObject({ code: 200, warnings });
  });

  test("of a matching pair is stored without a warning", async () => {
    const send = testClient(quietCluster());
    const { certificate, key } = createAuthority().issue({ commonName: "c", usage: "server" });
    const stringData = { "tls.crt": certificate, "tls.key": key };
    const body = { metadata: { name: "s" }, type: "kubernetes.io/tls", stringData };
    expect(await send("POST", `${core}/secrets`, body)).toMatchObject({ code: 201, warnings: [] });
  });

  test("has the required keys of its type", async () => {
    const send = testClient(quietCluster());
    const account = { annotations: { "kubernetes.io/service-account.name": "a" } };
    const bodies: readonly object[] = [
      { type: "kubernetes.io/service-account-token", metadata: { name: "a", ...account } },
      { type: "kubernetes.io/dockercfg", metadata: { name: "b" }, stringData: { ".dockercfg": "null" } },
      {
        type: "kubernetes.io/dockerconfigjson",
        metadata: { name: "c" },
        stringData: { ".dockerconfigjson": "{}" },
      },
      { type: "kubernetes.io/basic-auth", metadata: { name: "d" }, data: { password: "" } },
      { type: "kubernetes.io/ssh-auth", metadata: { name: "e" }, stringData: { "ssh-privatekey": "k" } },
      { type: "x.io/y", metadata: { name: "f" } },
    ];
    for (const body of bodies) expect((await send("POST", `${core}/secrets`, body)).findings).toEqual([]);
    const { object } = await send("POST", `${core}/secrets`, { metadata: { name: "g" } });
    expect(object.type).toBe("Opaque");
  });

  test("without its type would become Opaque, which is refused", async () => {
    const send = testClient(quietCluster());
    await send("POST", `${core}/secrets`, { type: "x.io/y", metadata: { name: "s" } });
    const { findings } = await send("PUT", `${core}/secrets/s`, { type: "", metadata: { name: "s" } });
    expect(findings).toEqual(['type: Invalid value: "Opaque": field is immutable']);
  });

  test("is refused for invalid base64", async () => {
    const send = testClient(quietCluster());
    const answer = await send("POST", `${core}/secrets`, { metadata: { name: "s" }, data: { a: "*" } });
    expect(answer.code).toBe(400);
    expect(answer.findings).toEqual([expect.stringContaining("illegal base64 data at input byte 0")]);
  });
});

test("a ServiceAccount references secrets by name, has one deprecation warning, and is returned by its deletion", async () => {
  const send = testClient(quietCluster());
  const path = `${core}/serviceaccounts`;
  const annotations = { "kubernetes.io/enforce-mountable-secrets": "true" };
  const warnings = [
    "metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets",
  ];
  const body = { metadata: { name: "a", annotations }, secrets: [{ name: "s", namespace: "other" }] };
  const created = await send("POST", path, body);
  expect(created).toMatchObject({ warnings, object: { secrets: [{ name: "s" }] } });
  expect(created.object.secrets[0].namespace).toBeUndefined();
  expect((await send("PATCH", `${path}/a`, { metadata: { labels: { a: "b" } } })).warnings).toEqual([]);
  expect((await send("PATCH", `${path}/a`, { secrets: null })).object.secrets).toBeUndefined();
  const bare = await send("POST", path, { metadata: { name: "b" }, secrets: [{}] });
  expect(bare).toMatchObject({ warnings: [], object: { secrets: [{}] } });
  expect((await send("PATCH", `${path}/b`, { metadata: { annotations } })).warnings).toEqual(warnings);
  const { object } = await send("DELETE", `${path}/a`);
  expect(object).toMatchObject({ kind: "ServiceAccount" });
  expect(object.metadata.deletionTimestamp).toBeUndefined();
});

test("ComponentStatuses are computed on request", async () => {
  const send = testClient(quietCluster());
  const path = "/api/v1/componentstatuses";
  const { object } = await send("GET", path);
  expect(object.metadata).toEqual({});
  expect(object.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual([
    "scheduler",
    "controller-manager",
    "etcd-0",
  ]);
  expect((await send("GET", `${path}/etcd-0`)).object.conditions).toEqual([
    { type: "Healthy", status: "True", message: "ok" },
  ]);
  expect(await send("GET", `${path}/x`)).toMatchObject({ code: 500, findings: ["Component not found: x"] });
});

test.each([
  [true, "True", "True"],
  [["scheduler"], "True", "False"],
  [["workloads"], "False", "True"],
] as const)("the components of a simulated cluster are healthy: %j", async (simulate, scheduler, manager) => {
  await using cluster = createCluster({ simulate });
  const { items } = await cluster.list("v1", "ComponentStatus");
  expect(items.map(({ metadata, conditions }) => [metadata.name, conditions?.[0]?.status])).toEqual([
    ["scheduler", scheduler],
    ["controller-manager", manager],
    ["etcd-0", "True"],
  ]);
});
