import fc from "fast-check";
import type { JsonObject } from "../../src/index.ts";
import { configOf } from "./apply-server.ts";

/** A built-in kind, and configurations for one object of it that can be applied in any order. */
export interface AppliedKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** The path of the object. */
  readonly at: string;
  /** The fields that the object requires. */
  readonly base: JsonObject;
  /**
   * Without zero values, which Go omits from the object, and without empty maps and lists. Keys with a default are
   * given, so that an extracted item has all its keys.
   */
  readonly config: fc.Arbitrary<JsonObject>;
}

const word = fc.constantFrom("x", "y", "z<&>");
const entries = (keys: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...keys), word, { minKeys: 1, maxKeys: 3 });
const record = (fields: { readonly [name: string]: fc.Arbitrary<unknown> }) =>
  // All values are JSON values.
  fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
const subset = <T>(items: readonly T[]) =>
  fc
    .subarray([...items], { minLength: 1 })
    .chain((some) => fc.shuffledSubarray(some, { minLength: some.length }));

/** The parts that are not empty, because only those are applied. */
function filled(parts: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  return parts.map((config) =>
    Object.fromEntries(
      Object.entries(config).filter(([, value]) => Object.keys(value as JsonObject).length > 0),
    ),
  );
}

const labels = fc.dictionary(fc.constantFrom("a", "b", "example.com/c"), fc.constantFrom("x", "y"), {
  minKeys: 1,
  maxKeys: 3,
});
const metadata = record({ labels, annotations: entries(["a", "b"]) });

function appliedKind(
  apiVersion: string,
  kind: string,
  resource: string,
  base: JsonObject,
  parts: fc.Arbitrary<JsonObject>,
): AppliedKind {
  const root = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
  const at = `${root}/namespaces/default/${resource}/o`;
  const whole = (more: JsonObject): JsonObject => configOf(apiVersion, kind, at, more);
  return { apiVersion, kind, at, base: whole(base), config: filled(parts).map(whole) };
}

const port = fc
  .tuple(fc.constantFrom(80, 81, 443), fc.constantFrom("TCP", "UDP"))
  .chain(([number, protocol]) =>
    record({
      targetPort: fc.constantFrom(8080, "http"),
      appProtocol: fc.constantFrom("example.com/x", "http"),
    }).map((more) => ({ ...more, port: number, protocol, name: `p${number}-${protocol.toLowerCase()}` })),
  );

const service = appliedKind(
  "v1",
  "Service",
  "services",
  { spec: { ports: [{ name: "base", port: 1, protocol: "TCP" }] } },
  fc.record({
    metadata,
    spec: record({
      ports: fc.uniqueArray(port, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
      selector: labels,
      externalIPs: subset(["203.0.113.1", "203.0.113.2"]),
      internalTrafficPolicy: fc.constantFrom("Local", "Cluster"),
      publishNotReadyAddresses: fc.constant(true),
    }),
  }),
);

const configMap = appliedKind(
  "v1",
  "ConfigMap",
  "configmaps",
  { data: { base: "1" } },
  fc.record({
    metadata: fc
      .tuple(metadata, record({ finalizers: subset(["example.com/a", "example.com/b", "example.com/c"]) }))
      .map(([some, more]) => ({ ...some, ...more })),
    data: record({ a: word, b: word, "c.txt": word }),
    binaryData: record({ bin: fc.constantFrom("AAE=", "Ag==") }),
  }),
);

const environment = fc.uniqueArray(fc.record({ name: fc.constantFrom("A", "B", "C"), value: word }), {
  minLength: 1,
  maxLength: 3,
  selector: ({ name }) => name,
});
const container = fc.constantFrom("c1", "c2").chain((name) =>
  record({
    env: environment,
    args: subset(["-v", "-x"]),
    workingDir: fc.constantFrom("/1", "/2"),
    ports: fc.uniqueArray(
      fc.record({ containerPort: fc.constantFrom(80, 443), protocol: fc.constant("TCP") }),
      {
        minLength: 1,
        selector: ({ containerPort }) => containerPort,
      },
    ),
    resources: record({ limits: record({ cpu: fc.constantFrom("1000m", "2") }) }).filter(
      ({ limits }) => limits !== undefined && Object.keys(limits as JsonObject).length > 0,
    ),
  }).map((more) => ({ ...more, name, image: `${name}:1` })),
);
const deployment = appliedKind(
  "apps/v1",
  "Deployment",
  "deployments",
  {
    spec: {
      selector: { matchLabels: { app: "o" } },
      template: {
        metadata: { labels: { app: "o" } },
        spec: { containers: [{ name: "base", image: "base:1" }] },
      },
    },
  },
  fc.record({
    metadata,
    spec: fc
      .tuple(
        record({
          replicas: fc.constantFrom(2, 3),
          minReadySeconds: fc.constantFrom(5, 6),
          paused: fc.constant(true),
          strategy: fc.constant({ type: "Recreate" }),
        }),
        fc.uniqueArray(container, { maxLength: 2, selector: ({ name }) => name }),
        record({ annotations: entries(["a", "b"]) }),
      )
      .map(([spec, containers, templateMetadata]) => {
        const template = {
          ...(Object.keys(templateMetadata).length > 0 && { metadata: templateMetadata }),
          ...(containers.length > 0 && { spec: { containers } }),
        };
        return { ...spec, ...(Object.keys(template).length > 0 && { template }) };
      }),
  }),
);

const resourceQuota = appliedKind(
  "v1",
  "ResourceQuota",
  "resourcequotas",
  { spec: { hard: { pods: "1" } } },
  fc.record({
    metadata,
    spec: record({
      hard: fc.dictionary(
        fc.constantFrom("requests.cpu", "limits.memory", "services"),
        fc.constantFrom("1000m", "1", "2000", "2k"),
        { minKeys: 1 },
      ),
    }),
  }),
);

const serviceAccount = appliedKind(
  "v1",
  "ServiceAccount",
  "serviceaccounts",
  { automountServiceAccountToken: true },
  fc
    .record({ metadata, more: record({ secrets: references(), imagePullSecrets: references() }) })
    .map(({ metadata: some, more }) => ({ metadata: some, ...more })),
);

function references(): fc.Arbitrary<JsonObject[]> {
  return fc.uniqueArray(fc.record({ name: fc.constantFrom("s1", "s2", "s3") }), {
    minLength: 1,
    selector: ({ name }) => name,
  });
}

export const appliedKinds: readonly AppliedKind[] = [
  configMap,
  service,
  deployment,
  resourceQuota,
  serviceAccount,
];
