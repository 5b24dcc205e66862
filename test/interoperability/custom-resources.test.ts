import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pythonWithKubernetes } from "../../scoreboard/python.ts";
import { createCluster, type JsonObject } from "../../src/index.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { installedHelm } from "./helm.ts";
import { type Ended, ended } from "./kubectl.ts";
import { installedKubectls } from "./kubectl-versions.ts";

const cluster = createCluster();
const directory = mkdtempSync(join(tmpdir(), "kubedouble-definitions-"));
const kubeconfig = join(directory, "kubeconfig");
let serving: Serving;

beforeAll(async () => {
  serving = await serve(cluster);
  writeFileSync(kubeconfig, serving.kubeconfig(), { mode: 0o600 });
});
afterAll(async () => {
  await serving.close();
  await cluster.close();
  rmSync(directory, { recursive: true, force: true });
});

function file(name: string, object: object): string {
  const path = join(directory, name);
  writeFileSync(path, JSON.stringify(object));
  return path;
}

/** Runs a program as the administrator. */
function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = spawn(program, args, {
    cwd: directory,
    env: { ...process.env, HOME: directory, KUBECONFIG: kubeconfig, NO_PROXY: "127.0.0.1", ...env },
  });
  child.stdin.end();
  return ended(child);
}

/** A definition of widgets. Each client has a group of its own. */
function definitionOf(group: string): JsonObject {
  const specType = {
    type: "object",
    description: "What the widget should be.",
    properties: { replicas: { type: "integer" }, color: { type: "string" } },
  };
  const statusType = { type: "object", properties: { replicas: { type: "integer" } } };
  const openAPIV3Schema = { type: "object", properties: { spec: specType, status: statusType } };
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  const version = {
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema },
    subresources: { status: {}, scale },
    additionalPrinterColumns: [{ name: "Color", type: "string", jsonPath: ".spec.color" }],
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "widgets", singular: "widget", kind: "Widget", shortNames: ["wd"] },
      versions: [version],
    },
  };
}

function widget(group: string, spec: JsonObject): JsonObject {
  return { apiVersion: `${group}/v1`, kind: "Widget", metadata: { name: "a" }, spec };
}

const kubectls = installedKubectls();

describe.skipIf(kubectls.length === 0)("kubectl", () => {
  const [first, last] = [kubectls.at(0)?.minor, kubectls.at(-1)?.minor];

  test.each(kubectls)(
    "1.$minor works with a definition and its objects",
    { timeout: 120_000 },
    async ({ path, minor }) => {
      const group = `k${minor}.test`;
      const resource = `widgets.${group}`;
      const named = `widget.${group}/a`;
      const kubectl = async (...args: string[]) => {
        const { status, stdout, stderr } = await run(path, args);
        expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: "" });
        return stdout;
      };
      const crd = file(`${group}.json`, definitionOf(group));
      const red = file(`${group}-red.json`, widget(group, { color: "red", replicas: 1 }));
      const blue = file(`${group}-blue.json`, widget(group, { color: "blue", replicas: 1 }));
      const title = `customresourcedefinition.apiextensions.k8s.io/${resource}`;
      expect(await kubectl("create", "-f", crd)).toBe(`${title} created\n`);
      expect(await kubectl("wait", "--for=condition=Established", `crd/${resource}`)).toBe(
        `${title} condition met\n`,
      );
      // Like upstream's, the index of OpenAPI has only a time in seconds by which caches compare it: an empty cache is sure.
      const fresh = `--cache-dir=${join(directory, group)}`;
      expect(await kubectl("explain", "widgets.spec", `--api-version=${group}/v1`, fresh)).toContain(
        "What the widget should be.",
      );
      expect(await kubectl("apply", "-f", red)).toBe(`${named} created\n`);
      expect((await kubectl("get", resource)).replace(/ +/g, " ")).toMatch(/^NAME COLOR\na red\n$/);
      if (minor !== first && minor !== last) return;
      expect(await kubectl("apply", "-f", blue)).toBe(`${named} configured\n`);
      const green = file(`${group}-green.json`, widget(group, { color: "green" }));
      const conflict = await run(path, ["apply", "--server-side", "--field-manager=other", "-f", green]);
      expect(conflict.status).toBe(1);
      expect(conflict.stderr).toContain('conflict with "kubectl-client-side-apply" using');
      expect(await kubectl("patch", resource, "a", "--type=merge", "-p", '{"spec":{"color":"black"}}')).toBe(
        `${named} patched\n`,
      );
      expect(await kubectl("scale", "--replicas=3", `${resource}/a`)).toBe(`${named} scaled\n`);
      const edited = await run(path, ["edit", resource, "a"], { KUBE_EDITOR: "sed -i s/black/white/" });
      expect(edited).toEqual({ status: 0, stdout: `${named} edited\n`, stderr: "" });
      expect(await cluster.get(`${group}/v1`, "Widget", "a")).toMatchObject({
        spec: { color: "white", replicas: 3 },
      });
      expect(await kubectl("delete", resource, "a")).toBe(`widget.${group} "a" deleted\n`);
      expect(await kubectl("delete", "crd", resource)).toContain(`"${resource}" deleted\n`);
    },
  );
});

const python = pythonWithKubernetes();
if (python === undefined) console.log("skipped: there is no Python with the package kubernetes");

test.skipIf(python === undefined)(
  "Python's dynamic client works with a definition and its objects",
  { timeout: 60_000 },
  async () => {
    const program = resolve("test/interoperability/programs/custom_resources.py");
    const group = "python.test";
    const crd = file("python.json", definitionOf(group));
    const { status, stdout, stderr } = await run(python ?? "", [program, crd, group], {
      KUBECONFIG: kubeconfig,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.trim().split("\n")).toEqual([
      "created red",
      "patched blue",
      "listed ['a']",
      "watched ADDED a",
      "scaled 2",
      "deleted",
      "not found 404",
    ]);
  },
);

test("client-node's KubernetesObjectApi and informer work with a definition and its objects", {
  timeout: 60_000,
}, async () => {
  const library = await import("client-node-1");
  const group = "node.test";
  const config = new library.KubeConfig();
  config.loadFromString(serving.kubeconfig());
  const objects = library.KubernetesObjectApi.makeApiClient(config);
  await objects.create(definitionOf(group) as Parameters<typeof objects.create>[0]);
  await cluster.waitFor(
    {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      fieldSelector: `metadata.name=widgets.${group}`,
    },
    ([found]) =>
      JSON.stringify(found).includes('"type":"Established","status":"True"') ||
      JSON.stringify(found).includes("InitialNamesAccepted"),
  );
  const custom = config.makeApiClient(library.CustomObjectsApi);
  const list = () =>
    custom.listNamespacedCustomObject({ group, version: "v1", namespace: "default", plural: "widgets" });
  const seen: string[] = [];
  const informer = library.makeInformer(config, `/apis/${group}/v1/namespaces/default/widgets`, list);
  const events = new Promise<void>((done) => {
    for (const verb of ["add", "update", "delete"] as const) {
      informer.on(verb, ({ metadata, ...rest }) => {
        seen.push(`${verb} ${metadata?.name} ${(rest as { spec?: { color?: string } }).spec?.color}`);
        if (verb === "delete") done();
      });
    }
  });
  await informer.start();
  type Body = Parameters<typeof objects.create>[0];
  const body = widget(group, { color: "red" }) as Body;
  body.metadata = { name: "a", namespace: "default" };
  const created = await objects.create(body);
  const patched = { ...created, spec: { color: "blue" } };
  await objects.patch(
    patched as Body,
    undefined,
    undefined,
    "kubedouble",
    undefined,
    library.PatchStrategy.MergePatch,
  );
  const read = (await objects.list(`${group}/v1`, "Widget", "default")).items;
  expect(read).toMatchObject([{ metadata: { name: "a" }, spec: { color: "blue" } }]);
  await objects.delete(body);
  await events;
  await informer.stop();
  expect(seen).toEqual(["add a red", "update a blue", "delete a blue"]);
});

/** Whether a program is on PATH; prints the reason if it is not. */
function isInstalled(program: string, ...args: readonly string[]): boolean {
  const isThere = spawnSync(program, args).status === 0;
  if (!isThere) console.log(`skipped: there is no ${program} on PATH`);
  return isThere;
}

const helmPath = installedHelm();

test.skipIf(helmPath === undefined)(
  "Helm installs a chart with a definition and its objects",
  { timeout: 120_000 },
  async () => {
    const group = "helm.test";
    for (const name of ["crds", "templates"]) mkdirSync(join(directory, "chart", name), { recursive: true });
    file("chart/Chart.yaml", { apiVersion: "v2", name: "widgets", version: "0.1.0", appVersion: "2" });
    file("chart/values.yaml", { color: "red" });
    file("chart/crds/widgets.yaml", definitionOf(group));
    file("chart/templates/widget.yaml", widget(group, { color: "{{ .Values.color }}" }));
    const helm = async (...args: string[]) => {
      const { status, stdout, stderr } = await run(helmPath ?? "", args);
      expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: "" });
      return stdout;
    };
    const read = () => cluster.get(`${group}/v1`, "Widget", "a");
    const listed = async () => JSON.parse(await helm("list", "--output=json"));
    await helm("install", "w", "chart");
    expect(await read()).toMatchObject({
      metadata: { labels: { "app.kubernetes.io/managed-by": "Helm" } },
      spec: { color: "red" },
    });
    expect(await listed()).toMatchObject([
      { name: "w", namespace: "default", revision: "1", status: "deployed", chart: "widgets-0.1.0" },
    ]);
    await helm("upgrade", "w", "chart", "--set", "color=blue");
    expect(await read()).toMatchObject({ spec: { color: "blue" } });
    expect(await listed()).toMatchObject([{ revision: "2", status: "deployed" }]);
    expect(await helm("get", "manifest", "w")).toContain('"color":"blue"');
    await helm("rollback", "w", "1");
    expect(await read()).toMatchObject({ spec: { color: "red" } });
    await helm("uninstall", "w");
    await expect(read()).rejects.toMatchObject({ code: 404 });
    expect(await listed()).toEqual([]);
    // Helm never deletes definitions.
    await cluster.get("apiextensions.k8s.io/v1", "CustomResourceDefinition", `widgets.${group}`);
  },
);

test.skipIf(!isInstalled("kpt", "version"))(
  "kpt live apply keeps its inventory",
  { timeout: 60_000 },
  async () => {
    mkdirSync(join(directory, "package"));
    file("package/map.yaml", {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "kpt", namespace: "default" },
    });
    const kpt = async (...args: string[]) => {
      const { status, stdout, stderr } = await run("kpt", args);
      expect({ args, status, stderr }).toMatchObject({ args, status: 0 });
      return stdout;
    };
    await kpt("pkg", "init", "package");
    await kpt("live", "install-resource-group");
    await kpt("live", "init", "package", "--namespace=default", "--name=inventory");
    expect(await kpt("live", "apply", "package", "--reconcile-timeout=30s")).toContain(
      "reconcile result: 1 attempted, 1 successful, 0 skipped, 0 failed, 0 timed out",
    );
    const group = await cluster.get("kpt.dev/v1alpha1", "ResourceGroup", "inventory");
    expect(group).toMatchObject({
      spec: { resources: [{ kind: "ConfigMap", name: "kpt", namespace: "default" }] },
    });
    expect(await kpt("live", "destroy", "package")).toContain("delete result: 1 attempted, 1 successful");
    await expect(cluster.get("v1", "ConfigMap", "kpt")).rejects.toMatchObject({ code: 404 });
  },
);
