import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { describeKubectl, describeKubectlInOrder, testSince } from "./kubectl.ts";

const labels = { team: "a" };
const configMap = (name: string, data: JsonObject = { a: "b" }): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, labels },
  data,
});
const secret = (name: string): JsonObject => ({ ...configMap(name, { a: "eA==" }), kind: "Secret" });
const manifests = (...objects: readonly JsonObject[]): string =>
  JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });

describeKubectlInOrder("kubectl apply --prune", ({ cluster, kubectl, run }) => {
  const names = async (kind: string, namespace = "default") => {
    const { items } = await cluster.list("v1", kind, { namespace });
    return items.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
  };
  const allowlist = testSince(26, "kubectl apply --prune-allowlist");

  const prune = testSince(22, "kubectl apply --prune with current APIs");

  prune("deletes objects with the labels that are no longer applied", async () => {
    await cluster.load([configMap("not-applied")]);
    await kubectl("apply -f -", manifests(configMap("kept"), configMap("gone"), secret("hidden")));
    const { status, stdout } = await run("apply --prune -l team=a -f -", {
      input: manifests(configMap("kept"), configMap("new")),
    });
    expect(status).toBe(0);
    expect(stdout.split("\n").sort()).toEqual([
      "",
      "configmap/gone pruned",
      "configmap/kept unchanged",
      "configmap/new created",
      "secret/hidden pruned",
    ]);
    expect(await names("ConfigMap")).toEqual(["kept", "new", "not-applied"]);
  });

  allowlist("--prune-allowlist limits the kinds", async () => {
    await kubectl("apply -f -", manifests(configMap("gone"), secret("hidden")));
    const { stdout } = await run("apply --prune -l team=a --prune-allowlist=core/v1/ConfigMap -f -", {
      input: manifests(configMap("kept")),
    });
    expect(stdout.split("\n").sort()).toEqual([
      "",
      "configmap/gone pruned",
      "configmap/kept unchanged",
      "configmap/new pruned",
    ]);
    expect(await names("Secret")).toEqual(["hidden"]);
  });

  allowlist("--dry-run=server shows what would be deleted", async () => {
    const command = "apply --prune -l team=a --prune-allowlist=core/v1/Secret --dry-run=server -f -";
    const { stdout } = await run(command, { input: manifests(configMap("kept")) });
    expect(stdout).toBe("configmap/kept unchanged (server dry run)\nsecret/hidden pruned (server dry run)\n");
    expect(await names("Secret")).toEqual(["hidden"]);
  });

  allowlist("diff --prune shows the deletion", async () => {
    const { status, stdout } = await run("diff --prune -l team=a --prune-allowlist=core/v1/Secret -f -", {
      input: manifests(configMap("kept")),
    });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^-kind: Secret$/m);
    expect(stdout).not.toContain("kept");
  });
});

const set = testSince(27, "kubectl apply --applyset");

describeKubectlInOrder("kubectl apply --applyset", ({ cluster, run }) => {
  const id = "applyset.kubernetes.io/id";
  const partOf = "applyset.kubernetes.io/part-of";
  const annotation = (name: string) => `applyset.kubernetes.io/${name}`;
  const apply = async (...objects: readonly JsonObject[]) => {
    const { status, stdout, stderr } = await run("apply --prune --applyset=configmaps/set -n default -f -", {
      input: manifests(...objects),
      env: { KUBECTL_APPLYSET: "true" },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return stdout
      .split("\n")
      .filter((line) => line !== "")
      .sort();
  };
  const parent = () => cluster.get("v1", "ConfigMap", "set");

  set("creates a parent object that lists its content", async () => {
    expect(await apply(configMap("one"), secret("two"))).toEqual([
      "configmap/one created",
      "secret/two created",
    ]);
    const { metadata } = await parent();
    expect(metadata).toMatchObject({
      labels: { [id]: expect.stringMatching(/^applyset-[\w-]{43}-v1$/) },
      annotations: {
        [annotation("tooling")]: expect.stringMatching(/^kubectl\/v1\./),
        [annotation("additional-namespaces")]: "",
        [annotation(
          metadata.annotations?.[annotation("contains-group-resources")]
            ? "contains-group-resources"
            : "contains-group-kinds",
        )]: expect.stringMatching(/^(ConfigMap,Secret|configmaps,secrets)$/),
      },
    });
    expect((await cluster.get("v1", "Secret", "two")).metadata.labels).toHaveProperty(
      [partOf],
      metadata.labels?.[id],
    );
    expect(metadata.managedFields).toMatchObject([{ manager: "kubectl-applyset", operation: "Apply" }]);
  });

  set("deletes only objects that are no longer in the set", async () => {
    await cluster.load([secret("other")]);
    expect(await apply(configMap("one", { a: "c" }))).toEqual([
      "configmap/one configured",
      "secret/two pruned",
    ]);
    const { items } = await cluster.list("v1", "Secret", { namespace: "default" });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["other"]);
  });
});

describeKubectl("kubectl diff --server-side", ({ cluster, kubectl, run }) => {
  beforeAll(() => kubectl("apply --server-side -f -", manifests(configMap("one", { color: "blue" }))));
  const diff = (flags: string, ...objects: readonly JsonObject[]) =>
    run(`diff --server-side${flags} -f -`, { input: manifests(...objects) });

  test("shows nothing if nothing would change", async () => {
    expect(await diff("", configMap("one", { color: "blue" }))).toEqual({
      status: 0,
      stdout: "",
      stderr: "",
    });
  });

  test("shows the changes without making them", async () => {
    const { status, stdout } = await diff("", configMap("one", { color: "red" }));
    expect(status).toBe(1);
    expect(stdout).toMatch(/^- {2}color: blue\n\+ {2}color: red$/m);
    expect(stdout).not.toContain("managedFields");
    expect(await cluster.get("v1", "ConfigMap", "one")).toMatchObject({ data: { color: "blue" } });
  });

  test("shows what would be created", async () => {
    const { status, stdout } = await diff("", configMap("two", { color: "red" }));
    expect(status).toBe(1);
    expect(stdout).toMatch(/^\+kind: ConfigMap$/m);
    expect(stdout).toMatch(/^\+ {2}uid: [0-9a-f-]{36}$/m);
  });

  test("reports conflicts like apply", async () => {
    const { status, stderr } = await diff(" --field-manager=other", configMap("one", { color: "red" }));
    expect(status).toBeGreaterThan(1);
    expect(stderr).toMatch(/Apply failed with 1 conflict: conflict with "kubectl": \.data\.color/);
    const forced = await diff(" --field-manager=other --force-conflicts", configMap("one", { color: "red" }));
    expect(forced).toMatchObject({ status: 1, stderr: "" });
    expect(forced.stdout).toMatch(/^- {2}color: blue\n\+ {2}color: red$/m);
  });
});
