import { describe, expect, test } from "vitest";
import { asking, quietCluster } from "../../../test/registry/asked.ts";

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
  test.each<[string, object, readonly string[]]>([
    [
      "leading nowhere",
      {},
      [
        "spec: Invalid value: []networking.IngressRule(nil): either `defaultBackend` or `rules` must be specified",
      ],
    ],
    [
      "a class that is no name",
      { ingressClassName: "A_b", defaultBackend: { service } },
      [`spec.ingressClassName: Invalid value: "A_b": ${subdomain}`],
    ],
    [
      "two backends",
      { defaultBackend: { service, resource: { kind: "K", name: "n" } } },
      ['spec.defaultBackend: Invalid value: "": cannot set both resource and service backends'],
    ],
    [
      "a backend that is none",
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
      "ports that are none",
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
      "no type of a path",
      withPath({ pathType: null }),
      [`${at}.pathType: Required value: pathType must be specified`],
    ],
    [
      "a type of path that is none",
      withPath({ pathType: "Zed" }),
      [
        `${at}.pathType: Unsupported value: "Zed": supported values: "Exact", "ImplementationSpecific", "Prefix"`,
      ],
    ],
    [
      "paths that climb",
      withPath({ path: "/a//b/%2f/.." }),
      [
        `${at}.path: Invalid value: "/a//b/%2f/..": must not contain '//'`,
        `${at}.path: Invalid value: "/a//b/%2f/..": must not contain '%2f'`,
        `${at}.path: Invalid value: "/a//b/%2f/..": cannot end with '/..'`,
      ],
    ],
    [
      "a path of its own kind that is relative",
      withPath({ pathType: "ImplementationSpecific", path: "a" }),
      [`${at}.path: Invalid value: "a": must be an absolute path`],
    ],
    [
      "hosts that are addresses",
      { rules: [{ host: "1.2.3.4" }] },
      ['spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address'],
    ],
    [
      "certificates of hosts that are none",
      { defaultBackend: { service }, tls: [{ hosts: ["A"], secretName: "B_" }] },
      [
        `spec.tls[0].hosts[0]: Invalid value: "A": ${subdomain}`,
        `spec.tls[0].secretName: Invalid value: "B_": ${subdomain}`,
      ],
    ],
  ])("%s", async (_title, spec, findings) => {
    expect((await asking(quietCluster())("POST", path, ingress(spec))).findings).toEqual(findings);
  });
});

describe("an Ingress and its class", () => {
  const annotation = { "kubernetes.io/ingress.class": "x" };

  test("agree when it is new", async () => {
    const spec = { ingressClassName: "y", defaultBackend: { service } };
    const { findings } = await asking(quietCluster())("POST", path, ingress(spec, annotation));
    expect(findings).toEqual([
      'annotations.kubernetes.io/ingress.class: Invalid value: "x": must match `ingressClassName` when both are specified',
    ]);
  });

  test("need not agree later", async () => {
    const ask = asking(quietCluster());
    const { warnings } = await ask("POST", path, ingress({ defaultBackend: { service } }, annotation));
    expect(warnings).toEqual([
      "annotation \"kubernetes.io/ingress.class\" is deprecated, please use 'spec.ingressClassName' instead",
    ]);
    const { object } = await ask("PATCH", `${path}/i`, { spec: { ingressClassName: "y" } });
    expect(object.metadata.generation).toBe(2);
  });
});

test("the status of an Ingress has addresses and names that are some", async () => {
  const ask = asking(quietCluster());
  await ask("POST", path, ingress({ defaultBackend: { service } }));
  const points = [{ ip: "zz" }, { hostname: "1.2.3.4" }];
  const { findings } = await ask("PATCH", `${path}/i/status`, {
    status: { loadBalancer: { ingress: points } },
  });
  expect(findings).toEqual([
    'status.loadBalancer.ingress[0].ip: Invalid value: "zz": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    'status.loadBalancer.ingress[1].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
  ]);
});
