import { expect, test } from "vitest";
import {
  type ClusterOptions,
  createCluster,
  type JsonObject,
  type KubeObject,
  VirtualClock,
} from "../../src/index.ts";

/** The option with one plugin. */
function configured(
  name: string,
  configuration: JsonObject,
): Pick<ClusterOptions, "admissionControlConfigFile"> {
  const file = { apiVersion: "apiserver.config.k8s.io/v1", kind: "AdmissionConfiguration" };
  return { admissionControlConfigFile: { ...file, plugins: [{ name, configuration }] } };
}

function limits(...all: readonly JsonObject[]): Partial<ClusterOptions> {
  const configuration = {
    apiVersion: "eventratelimit.admission.k8s.io/v1alpha1",
    kind: "Configuration",
    limits: all,
  };
  return { enableAdmissionPlugins: ["EventRateLimit"], ...configured("EventRateLimit", configuration) };
}

function event(name: string, namespace = "default", more: JsonObject = {}): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name, namespace },
    involvedObject: { namespace, ...more },
  };
}

const namespaces = ["a", "b"].map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } }));

test("EventRateLimit refuses Events until its buckets fill up by the clock", async () => {
  const clock = new VirtualClock("2026-01-01T00:00:00Z");
  const options = limits({ type: "Namespace", qps: 1, burst: 2 }, { type: "User", qps: 1, burst: 3 });
  const cluster = createCluster({ clock, controllers: [], objects: namespaces, ...options });
  const alice = cluster.as("alice");
  const answer = (name: string, namespace: string) =>
    alice.create(event(name, namespace)).then(
      () => "created",
      ({ message, code, status }) => [code, status.reason, status.details, message],
    );
  expect(await answer("1", "a")).toBe("created");
  expect(await answer("2", "a")).toBe("created");
  const refused = (type: string, key: string) => [
    429,
    "TooManyRequests",
    undefined,
    `Too many requests: limit reached on type ${type} for key ${key}`,
  ];
  expect(await answer("3", "a")).toEqual(refused("Namespace", "a"));
  expect(await answer("1", "b")).toEqual(refused("User", "alice"));
  await alice.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "a" } });
  await clock.advance("1s");
  expect(await answer("4", "a")).toBe("created");
  expect(await answer("5", "a")).toEqual(refused("User", "alice"));
});

test("EventRateLimit counts by source and object, and forgets the buckets beyond its cache size", async () => {
  const clock = new VirtualClock("2026-01-01T00:00:00Z");
  const limit = { type: "SourceAndObject", qps: 1, burst: 1, cacheSize: 1 };
  const cluster = createCluster({ clock, controllers: [], ...limits(limit) });
  await cluster.create(event("1", "default", { kind: "Pod", name: "x" }));
  await expect(cluster.create(event("2", "default", { kind: "Pod", name: "x" }))).rejects.toThrow(
    "limit reached on type SourceAndObject for key Poddefaultx",
  );
  await cluster.create(event("3", "default", { kind: "Pod", name: "y" }));
  await cluster.create(event("4", "default", { kind: "Pod", name: "x" }));
});

const pod = (more: JsonObject = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace: "a" },
  spec: { containers: [{ name: "c", image: "i" }], hostNetwork: true, ...more },
});

test("PodSecurity has defaults and exemptions", async () => {
  const cluster = createCluster({
    controllers: [],
    disableAdmissionPlugins: ["ServiceAccount"],
    objects: [
      ...namespaces,
      {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: "open", labels: { "pod-security.kubernetes.io/enforce": "privileged" } },
      },
    ],
    ...configured("PodSecurity", {
      apiVersion: "pod-security.admission.config.k8s.io/v1",
      kind: "PodSecurityConfiguration",
      defaults: { enforce: "baseline", "enforce-version": "v1.30" },
      exemptions: { usernames: ["root"], namespaces: ["b"] },
    }),
  });
  const denied = await cluster.admit(pod(), { user: "alice" });
  expect(denied.deniedBy).toMatchObject({ plugin: "PodSecurity" });
  expect(denied.refusal?.message).toContain(
    'violates PodSecurity "baseline:v1.30": host namespaces (hostNetwork=true)',
  );
  const root = await cluster.admit(pod(), { user: "root" });
  expect(root).toMatchObject({
    admitted: true,
    auditAnnotations: { "pod-security.kubernetes.io/exempt": "user" },
  });
  const within = async (namespace: string) =>
    (await cluster.admit({ ...pod(), metadata: { name: "p", namespace } }, { user: "alice" })).admitted;
  expect([await within("b"), await within("open")]).toEqual([true, true]);
});

test("PodNodeSelector and PodTolerationRestriction have the lists of the configuration", async () => {
  const options = { controllers: [], disableAdmissionPlugins: ["ServiceAccount"], objects: namespaces };
  const selecting = createCluster({
    ...options,
    enableAdmissionPlugins: ["PodNodeSelector"],
    ...configured("PodNodeSelector", {
      podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: "zone=x" },
    }),
  });
  expect((await selecting.admit(pod())).object).toMatchObject({ spec: { nodeSelector: { zone: "x" } } });
  const toleration = { key: "k", operator: "Exists" };
  const tolerating = createCluster({
    ...options,
    enableAdmissionPlugins: ["PodTolerationRestriction"],
    ...configured("PodTolerationRestriction", {
      apiVersion: "podtolerationrestriction.admission.k8s.io/v1alpha1",
      kind: "Configuration",
      default: [toleration],
    }),
  });
  expect((await tolerating.admit(pod())).object).toMatchObject({
    spec: { tolerations: expect.arrayContaining([toleration]) },
  });
});

test("a file in the old format is the configuration of PodNodeSelector itself", async () => {
  const cluster = createCluster({
    controllers: [],
    disableAdmissionPlugins: ["ServiceAccount"],
    enableAdmissionPlugins: ["PodNodeSelector"],
    objects: namespaces,
    admissionControlConfigFile: { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: "zone=x" } },
  });
  expect((await cluster.admit(pod())).object).toMatchObject({ spec: { nodeSelector: { zone: "x" } } });
});

test.each<readonly [title: string, options: object, message: string]>([
  [
    "another kind",
    { admissionControlConfigFile: { apiVersion: "apiserver.config.k8s.io/v1", kind: "Zed" } },
    'admissionControlConfigFile: no kind "Zed" is registered for version "apiserver.config.k8s.io/v1"',
  ],
  [
    "an unknown plugin",
    configured("PodSecurty", {}),
    'unknown plugin "PodSecurty"; did you mean "PodSecurity"?',
  ],
  [
    "a plugin without one",
    configured("LimitRanger", {}),
    "the configuration of the plugin LimitRanger has no effect here",
  ],
  [
    "a configuration of another kind",
    configured("PodSecurity", { kind: "Zed" }),
    "the configuration of the plugin PodSecurity is , Kind=Zed; it must be pod-security.admission.config.k8s.io/v1, Kind=PodSecurityConfiguration or",
  ],
  [
    "a version that the release does not have",
    {
      release: "1.24",
      ...configured("PodSecurity", {
        apiVersion: "pod-security.admission.config.k8s.io/v1",
        kind: "PodSecurityConfiguration",
      }),
    },
    "it must be pod-security.admission.config.k8s.io/v1beta1, Kind=PodSecurityConfiguration or pod-security.admission.config.k8s.io/v1alpha1",
  ],
  ["text", { admissionControlConfigFile: "a.yaml" }, "must be an AdmissionConfiguration, an object"],
])("%s is an error of the option", (_title, options, message) => {
  expect(() => createCluster(options)).toThrow(message);
});

test.each<readonly [title: string, options: Partial<ClusterOptions>, message: string]>([
  [
    "no configuration",
    { enableAdmissionPlugins: ["EventRateLimit"] },
    "limits: Invalid value: []eventratelimit.Limit(nil): must not be empty",
  ],
  [
    "limits of the wrong form",
    limits({ type: "Server", qps: 0, burst: 1 }, { type: "Zed", qps: 1, burst: -1, cacheSize: -2 }),
    '[limits[0].qps: Invalid value: 0: must be positive, limits[1].type: Unsupported value: "Zed": supported values: "Namespace", "Server", "SourceAndObject", "User", limits[1].burst: Invalid value: -1: must be positive, limits[1].cacheSize: Invalid value: -2: must not be negative]',
  ],
])("EventRateLimit with %s ends the start", async (_title, options, message) => {
  const cluster = createCluster({ controllers: [], ...options });
  await expect(cluster.settle()).rejects.toThrow(
    `couldn't init admission plugin "EventRateLimit": ${message}`,
  );
});
