import { describe, expect, test } from "vitest";
import { asking, quietCluster } from "../../../test/registry/asked.ts";

const core = "/api/v1/namespaces/default";
const keyRule =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

test.each<[string, object, readonly string[]]>([
  ["a key that is no file's name", { data: { "a b": "1" } }, [`data[a b]: Invalid value: "a b": ${keyRule}`]],
  [
    "a key that climbs",
    { binaryData: { "..": "" } },
    [`binaryData[..]: Invalid value: "..": must not be '..'`],
  ],
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
  const ask = asking(quietCluster());
  expect((await ask("POST", `${core}/configmaps`, { metadata: { name: "c" }, ...body })).findings).toEqual(
    findings,
  );
});

test.each([["configmaps"], ["secrets"]])(
  "immutable %s keep their data, not their metadata",
  async (resource) => {
    const ask = asking(quietCluster());
    const path = `${core}/${resource}`;
    await ask("POST", path, { metadata: { name: "x" }, immutable: true, data: { a: "MQ==" } });
    const detail = "Forbidden: field is immutable when `immutable` is set";
    expect((await ask("PATCH", `${path}/x`, { data: { a: "Mg==" } })).findings).toEqual([`data: ${detail}`]);
    expect((await ask("PATCH", `${path}/x`, { immutable: null })).findings).toEqual([`immutable: ${detail}`]);
    expect((await ask("PATCH", `${path}/x`, { metadata: { labels: { a: "b" } } })).code).toBe(200);
  },
);

const json = (text: string) => btoa(text);

describe("a Secret is refused", () => {
  test.each<[string, object, readonly string[]]>([
    [
      "of a docker config without one",
      { type: "kubernetes.io/dockerconfigjson" },
      ["data[.dockerconfigjson]: Required value"],
    ],
    [
      "of a docker config that is no JSON",
      { type: "kubernetes.io/dockercfg", data: { ".dockercfg": json("{}1") } },
      [
        "data[.dockercfg]: Invalid value: \"<secret contents redacted>\": invalid character '1' after top-level value",
      ],
    ],
    [
      "of a docker config that is no object",
      { type: "kubernetes.io/dockercfg", data: { ".dockercfg": json("[]") } },
      [
        'data[.dockercfg]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
      ],
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
      "of a token for nobody",
      { type: "kubernetes.io/service-account-token" },
      ["metadata.annotations[kubernetes.io/service-account.name]: Required value"],
    ],
    [
      "with too much in it",
      { stringData: { a: "x".repeat(1048577) } },
      ["data: Too long: may not be more than 1048576 bytes"],
    ],
  ])("%s", async (_title, body, findings) => {
    const ask = asking(quietCluster());
    expect((await ask("POST", `${core}/secrets`, { metadata: { name: "s" }, ...body })).findings).toEqual(
      findings,
    );
  });
});

describe("a Secret", () => {
  test("keeps texts as data, over what data says", async () => {
    const ask = asking(quietCluster());
    const body = { metadata: { name: "s" }, data: { a: "MQ==", b: "Mg==" }, stringData: { a: "ä" } };
    const { object } = await ask("POST", `${core}/secrets`, body);
    expect(object.data).toEqual({ a: "w6Q=", b: "Mg==" });
    expect(object.stringData).toBeUndefined();
    const { object: patched } = await ask("PATCH", `${core}/secrets/s`, { stringData: { c: "x" } });
    expect(patched.data).toEqual({ a: "w6Q=", b: "Mg==", c: "eA==" });
  });

  test("keeps its type", async () => {
    const ask = asking(quietCluster());
    await ask("POST", `${core}/secrets`, { metadata: { name: "s" } });
    const { findings } = await ask("PATCH", `${core}/secrets/s`, { type: "x" });
    expect(findings).toEqual(['type: Invalid value: "x": field is immutable']);
  });

  const block = (label: string) => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`;

  test.each([
    ["nothing", "", "tls: failed to find any PEM data in certificate input"],
    [
      "a key for a certificate",
      block("PRIVATE KEY"),
      "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched",
    ],
    ["no key", block("CERTIFICATE"), "tls: failed to find any PEM data in key input"],
  ])("of a pair that holds %s is stored with a warning", async (_title, certificate, warning) => {
    const ask = asking(quietCluster());
    const stringData = { "tls.crt": certificate, "tls.key": "" };
    const body = { metadata: { name: "s" }, type: "kubernetes.io/tls", stringData };
    expect(await ask("POST", `${core}/secrets`, body)).toMatchObject({ code: 201, warnings: [warning] });
  });
});

test("a ServiceAccount refers to secrets by name, warns once of what is deprecated, and is answered when it goes", async () => {
  const ask = asking(quietCluster());
  const path = `${core}/serviceaccounts`;
  const annotations = { "kubernetes.io/enforce-mountable-secrets": "true" };
  const warnings = [
    "metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets",
  ];
  const body = { metadata: { name: "a", annotations }, secrets: [{ name: "s", namespace: "other" }] };
  const created = await ask("POST", path, body);
  expect(created).toMatchObject({ warnings, object: { secrets: [{ name: "s" }] } });
  expect(created.object.secrets[0].namespace).toBeUndefined();
  expect((await ask("PATCH", `${path}/a`, { metadata: { labels: { a: "b" } } })).warnings).toEqual([]);
  const { object } = await ask("DELETE", `${path}/a`);
  expect(object).toMatchObject({ kind: "ServiceAccount" });
  expect(object.metadata.deletionTimestamp).toBeUndefined();
});

test("ComponentStatuses are made when they are asked for", async () => {
  const ask = asking(quietCluster());
  const path = "/api/v1/componentstatuses";
  const { object } = await ask("GET", path);
  expect(object.metadata).toEqual({});
  expect(object.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual([
    "scheduler",
    "controller-manager",
    "etcd-0",
  ]);
  expect((await ask("GET", `${path}/etcd-0`)).object.conditions).toEqual([
    { type: "Healthy", status: "True", message: "ok" },
  ]);
  expect(await ask("GET", `${path}/x`)).toMatchObject({ code: 500, findings: ["Component not found: x"] });
});
