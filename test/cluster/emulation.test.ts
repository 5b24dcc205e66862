import { expect, onTestFinished, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster } from "../../src/index.ts";

function start(options: ClusterOptions): Cluster {
  const cluster = createCluster(options);
  onTestFinished(() => cluster.close());
  return cluster;
}

/** Documents of discovery, as far as the tests read them. */
interface Discovered {
  readonly versions?: readonly { readonly version: string }[];
  readonly resources?: readonly { readonly name: string }[];
}

async function documentAt(cluster: Cluster, path: string): Promise<Discovered> {
  const response = await cluster.fetch(`https://cluster.test${path}`);
  if (response.status === 404) return {};
  // What the server answers; the assertions are about what it has.
  return (await response.json()) as Discovered;
}

async function versionsOf(cluster: Cluster, group: string): Promise<readonly string[]> {
  const { versions = [] } = await documentAt(cluster, `/apis/${group}`);
  return versions.map(({ version }) => version);
}

test("the version names the release of the server and the emulated one", async () => {
  const cluster = start({ release: "1.34", emulatedVersion: "1.32" });
  expect(cluster.release).toBe("1.34");
  expect(await documentAt(cluster, "/version")).toMatchObject({
    ...{ major: "1", minor: "34", gitVersion: "v1.34.0" },
    ...{ emulationMajor: "1", emulationMinor: "32", minCompatibilityMajor: "1", minCompatibilityMinor: "31" },
  });
  expect(await documentAt(cluster, "/openapi/v2")).toMatchObject({ info: { version: "1.32" } });
});

test("a server serves what the emulated release has not removed yet", async () => {
  const flowcontrol = "flowcontrol.apiserver.k8s.io";
  expect(await versionsOf(start({ release: "1.32" }), flowcontrol)).toEqual(["v1"]);
  const cluster = start({ release: "1.32", emulatedVersion: "1.31" });
  expect(await versionsOf(cluster, flowcontrol)).toEqual(["v1", "v1beta3"]);
  const response = await cluster.fetch(`https://cluster.test/apis/${flowcontrol}/v1beta3/flowschemas/exempt`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ apiVersion: `${flowcontrol}/v1beta3` });
});

test("a server leaves out what came after the emulated release", async () => {
  expect(await versionsOf(start({ release: "1.34" }), "resource.k8s.io")).toEqual(["v1"]);
  const emulating = start({ release: "1.34", emulatedVersion: "1.33" });
  expect(await versionsOf(emulating, "resource.k8s.io")).toEqual([]);
});

const later = { release: "1.34", emulatedVersion: "1.33" } as const;
const hint = "Consider setting --runtime-config-emulation-forward-compatible=true";

test.each<[what: string, options: ClusterOptions, problem: string]>([
  [
    "a later version",
    { ...later, runtimeConfig: { "resource.k8s.io/v1": true } },
    `cannot enable version resource.k8s.io/v1 in runtime-config because all the resources have been introduced after the current version 1.33. ${hint}`,
  ],
  [
    "a later resource",
    { ...later, runtimeConfig: { "resource.k8s.io/v1/deviceclasses": true } },
    `cannot enable resource resource.k8s.io/v1, Resource=deviceclasses in runtime-config because it is introduced at 1.34 after the current version 1.33. ${hint}`,
  ],
  [
    "a release out of range",
    { release: "1.36", emulatedVersion: "1.32" },
    "emulation version 1.32 is not between [1.33, 1.36.0]",
  ],
  [
    "forward compatibility without emulation",
    { release: "1.34", runtimeConfigEmulationForwardCompatible: true },
    "ServerRunOptions.RuntimeConfigEmulationForwardCompatible cannot be set to true if the emulation version is the same as the binary version",
  ],
  [
    "forward compatibility of all versions without emulation",
    { release: "1.34", emulatedVersion: "1.34", emulationForwardCompatible: true },
    "ServerRunOptions.EmulationForwardCompatible cannot be set to true if the emulation version is the same as the binary version",
  ],
  [
    "forward compatibility before 1.33",
    { release: "1.32", emulatedVersion: "1.31", emulationForwardCompatible: true },
    "createCluster: emulationForwardCompatible needs release 1.33 or newer",
  ],
])("%s is refused", (_what, options, problem) => {
  expect(() => createCluster(options)).toThrow(problem);
});

test("the runtime configuration enables later versions if it may", async () => {
  const cluster = start({
    ...later,
    runtimeConfigEmulationForwardCompatible: true,
    runtimeConfig: { "resource.k8s.io/v1/deviceclasses": true },
  });
  expect(await versionsOf(cluster, "resource.k8s.io")).toEqual(["v1"]);
  const { resources = [] } = await documentAt(cluster, "/apis/resource.k8s.io/v1");
  expect(resources.map(({ name }) => name)).toEqual(["deviceclasses"]);
});

test("served versions bring later ones if they may", async () => {
  const runtimeConfig = { "resource.k8s.io/v1beta1": true };
  const without = start({ ...later, runtimeConfig });
  expect(await versionsOf(without, "resource.k8s.io")).toEqual(["v1beta1"]);
  const cluster = start({ ...later, runtimeConfig, emulationForwardCompatible: true });
  expect(await versionsOf(cluster, "resource.k8s.io")).toEqual(["v1", "v1beta2", "v1beta1"]);
});

test("feature gates have the defaults of the emulated release", async () => {
  const hostnameOf = async (options: ClusterOptions) => {
    const cluster = start(options);
    const created = await cluster.create({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web", namespace: "default" },
      spec: { hostnameOverride: "web.example", containers: [{ name: "web", image: "web" }] },
    });
    return (created as { spec: { hostnameOverride?: string } }).spec.hostnameOverride;
  };
  // HostnameOverride is on by default from 1.35 on; before, the server drops the field.
  expect(await hostnameOf({ release: "1.35" })).toBe("web.example");
  expect(await hostnameOf({ release: "1.35", emulatedVersion: "1.34" })).toBeUndefined();
  const featureGates = { HostnameOverride: true };
  expect(await hostnameOf({ release: "1.35", emulatedVersion: "1.34", featureGates })).toBe("web.example");
});

test("an emulated release stays the same in an upgrade", async () => {
  const cluster = start({ release: "1.33", emulatedVersion: "1.32" });
  await cluster.upgrade("1.34");
  expect(await documentAt(cluster, "/version")).toMatchObject({ minor: "34", emulationMinor: "32" });
  await cluster.upgrade("1.35");
  await expect(cluster.upgrade("1.36")).rejects.toThrow(
    "emulation version 1.32 is not between [1.33, 1.36.0]",
  );
  expect(cluster.release).toBe("1.35");
});
