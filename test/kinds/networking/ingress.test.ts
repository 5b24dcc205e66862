import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../../src/apimachinery/object-meta.ts";
import { collectErrors } from "../../../src/apimachinery/validation/findings.ts";
import { addIngressUpdateErrors } from "../../../src/kinds/networking/ingress/ingress-validation.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/apis/networking.k8s.io/v1/namespaces/default/ingresses";
const service = { name: "s", port: { number: 80 } };
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

function ingress(spec: object, annotations?: object): object {
  return { metadata: { name: "i", ...(annotations && { annotations }) }, spec };
}

function withPath(item: object): object {
  return { rules: [{ http: { paths: [{ pathType: "Prefix", path: "/", backend: { service }, ...item }] } }] };
}

const at = "spec.rules[0].http.paths[0]";

describe("an Ingress is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    [
      "no backend and no rules",
      {},
      [
        "spec: Invalid value: []networking.IngressRule(nil): either `defaultBackend` or `rules` must be specified",
      ],
    ],
    [
      "an invalid class name",
      { ingressClassName: "A_b", defaultBackend: { service } },
      [`spec.ingressClassName: Invalid value: "A_b": ${subdomain}`],
    ],
    [
      "two backends",
      { defaultBackend: { service, resource: { kind: "K", name: "n" } } },
      ['spec.defaultBackend: Invalid value: "": cannot set both resource and service backends'],
    ],
    [
      "an invalid backend",
      withPath({ backend: {} }),
      [`${at}.backend: Invalid value: "": resource or service backend is required`],
    ],
    [
      "a resource without kind and name",
      { defaultBackend: { resource: { apiGroup: "A_", kind: "", name: "a/b" } } },
      [
        `spec.defaultBackend.resource.apiGroup: Invalid value: "A_": ${subdomain}`,
        "spec.defaultBackend.resource.kind: Required value: kind is required",
        "spec.defaultBackend.resource.name: Invalid value: \"a/b\": may not contain '/'",
      ],
    ],
    [
      "a service without name and port",
      { defaultBackend: { service: { name: "", port: {} } } },
      [
        "spec.defaultBackend.service.name: Required value",
        "spec.defaultBackend: Required value: port name or number is required",
      ],
    ],
    [
      "a port by name and number",
      { defaultBackend: { service: { name: "s", port: { name: "a", number: 1 } } } },
      ['spec.defaultBackend: Invalid value: "": cannot set both port name & port number'],
    ],
    [
      "invalid ports",
      {
        defaultBackend: { service: { name: "s", port: { number: 70_000 } } },
        ...withPath({ backend: { service: { name: "s", port: { name: "1" } } } }),
      },
      [
        "spec.defaultBackend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive",
        `${at}.backend.service.port.name: Invalid value: "1": must contain at least one letter (a-z)`,
      ],
    ],
    ["no paths", { rules: [{ http: { paths: [] } }] }, ["spec.rules[0].http.paths: Required value"]],
    [
      "no path type",
      withPath({ pathType: null }),
      [`${at}.pathType: Required value: pathType must be specified`],
    ],
    [
      "an invalid path type",
      withPath({ pathType: "Zed" }),
      [
        `${at}.pathType: Unsupported value: "Zed": supported values: "Exact", "ImplementationSpecific", "Prefix"`,
      ],
    ],
    [
      "paths with ..",
      withPath({ path: "/a//b/%2f/.." }),
      [
        `${at}.path: Invalid value: "/a//b/%2f/..": must not contain '//'`,
        `${at}.path: Invalid value: "/a//b/%2f/..": must not contain '%2f'`,
        `${at}.path: Invalid value: "/a//b/%2f/..": cannot end with '/..'`,
      ],
    ],
    [
      "a relative implementation-specific path",
      withPath({ pathType: "ImplementationSpecific", path: "a" }),
      [`${at}.path: Invalid value: "a": must be an absolute path`],
    ],
    [
      "hosts that are addresses",
      { rules: [{ host: "1.2.3.4" }] },
      ['spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address'],
    ],
    [
      "hosts that are not names",
      { rules: [{ host: "A_" }, { host: "*.b", http: { paths: [] } }, { host: "*" }] },
      [
        `spec.rules[0].host: Invalid value: "A_": ${subdomain}`,
        "spec.rules[1].http.paths: Required value",
        expect.stringContaining('spec.rules[2].host: Invalid value: "*": a wildcard DNS-1123 subdomain'),
      ],
    ],
    [
      "a service name that starts with a digit",
      { defaultBackend: { service: { ...service, name: "1a" } } },
      [expect.stringContaining('spec.defaultBackend.service.name: Invalid value: "1a": a DNS-1035 label')],
    ],
    [
      "certificates for invalid hosts",
      { defaultBackend: { service }, tls: [{ hosts: ["A"], secretName: "B_" }] },
      [
        `spec.tls[0].hosts[0]: Invalid value: "A": ${subdomain}`,
        `spec.tls[0].secretName: Invalid value: "B_": ${subdomain}`,
      ],
    ],
  ])("%s", async (_title, spec, findings) => {
    expect((await testClient(quietCluster())("POST", path, ingress(spec))).findings).toEqual(findings);
  });
});

test.each<[string, object]>([
  ["an empty implementation-specific path", withPath({ pathType: "ImplementationSpecific", path: "" })],
  ["a host with a wildcard", { rules: [{ host: "*.a.b" }] }],
  ["a certificate without a secret", { defaultBackend: { service }, tls: [{ hosts: ["*.a.b"] }] }],
])("an Ingress may have %s", async (_title, spec) => {
  expect((await testClient(quietCluster())("POST", path, ingress(spec))).findings).toEqual([]);
});

describe("an update of an Ingress may keep old values:", () => {
  const changes = (spec: object, old: object, hasRelaxedNames = false) => {
    const object = (it: object) =>
      ({ metadata: { name: "i", namespace: "n" }, spec: it }) as unknown as KubeObject;
    const release = {
      hasRelaxedNames,
      mayRepeatClass: true,
      assumesService: false,
      isBeta: false,
      hasPathTypes: true,
    };
    return collectErrors((errors) => addIngressUpdateErrors(errors, object(spec), object(old), release)).map(
      ({ field }) => field,
    );
  };
  const leads = (name: string) => withPath({ backend: { service: { ...service, name } } });

  test.each<[string, object, object, string]>([
    ["names of secrets", { tls: [{ secretName: "A_" }] }, {}, "spec.tls[0].secretName"],
    [
      "rules of hosts with wildcards",
      { rules: [{ host: "*.a", http: { paths: [] } }] },
      { rules: [{ host: "*.a" }] },
      "spec.rules[0].http.paths",
    ],
    ["service names that start with digits", leads("1a"), leads("a"), `${at}.backend.service.name`],
    [
      "a service name that starts with a digit, in other fields",
      { defaultBackend: { service: { ...service, name: "1a" } } },
      {},
      "spec.defaultBackend.service.name",
    ],
  ])("%s", (_title, spec, other, field) => {
    const backed = { defaultBackend: { service }, ...spec };
    expect(changes(backed, backed)).toEqual([]);
    expect(changes(backed, { defaultBackend: { service }, ...other })).toEqual([field]);
  });

  test("service names may start with digits with the gate", () => {
    expect(changes(leads("1a"), leads("a"), true)).toEqual([]);
  });
});

test("since 1.36, an Ingress may use services with names that start with digits", async () => {
  const send = testClient(quietCluster({ release: "1.36" }));
  const spec = { defaultBackend: { service: { ...service, name: "1a" } } };
  expect((await send("POST", path, ingress(spec))).findings).toEqual([]);
});

describe("an Ingress and its class", () => {
  const annotation = { "kubernetes.io/ingress.class": "x" };

  test("agree when it is new", async () => {
    const spec = { ingressClassName: "y", defaultBackend: { service } };
    const { findings } = await testClient(quietCluster())("POST", path, ingress(spec, annotation));
    expect(findings).toEqual([
      'annotations.kubernetes.io/ingress.class: Invalid value: "x": must match `ingressClassName` when both are specified',
    ]);
  });

  test("may differ later", async () => {
    const send = testClient(quietCluster());
    const { warnings } = await send("POST", path, ingress({ defaultBackend: { service } }, annotation));
    expect(warnings).toEqual([
      "annotation \"kubernetes.io/ingress.class\" is deprecated, please use 'spec.ingressClassName' instead",
    ]);
    const { object } = await send("PATCH", `${path}/i`, { spec: { ingressClassName: "y" } });
    expect(object.metadata.generation).toBe(2);
  });
});

test("the status of an Ingress must have valid addresses and names", async () => {
  const send = testClient(quietCluster());
  await send("POST", path, ingress({ defaultBackend: { service } }));
  const points = [{ ip: "zz" }, { hostname: "1.2.3.4" }, { hostname: "A_" }];
  const { findings } = await send("PATCH", `${path}/i/status`, {
    status: { loadBalancer: { ingress: points } },
  });
  expect(findings).toEqual([
    'status.loadBalancer.ingress[0].ip: Invalid value: "zz": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    'status.loadBalancer.ingress[1].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
    `status.loadBalancer.ingress[2].hostname: Invalid value: "A_": ${subdomain}`,
  ]);
});
