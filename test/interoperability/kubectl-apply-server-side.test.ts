import { beforeAll, expect, test } from "vitest";
import type { JsonObject, KubeObject } from "../../src/index.ts";
import { fieldOwners } from "./field-owners.ts";
import { describeKubectl, describeKubectlInOrder, testSince } from "./kubectl.ts";

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

const manifest = (name: string, data: JsonObject): string =>
  JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data });

const ways = `Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
`;

describeKubectlInOrder("kubectl apply --server-side", ({ cluster, kubectl, refusal }) => {
  const get = (name: string) => cluster.get("v1", "ConfigMap", name);
  const apply = (data: JsonObject, name: string, flags: string) =>
    kubectl(`apply --server-side ${flags} -f -`, manifest(name, data));
  const refused = async (data: JsonObject, name: string) => {
    const text = await refusal("apply --server-side -f -", manifest(name, data));
    return text.slice(0, text.indexOf("\nPlease review"));
  };

  test("creates and changes objects, and writes nothing without a change", async () => {
    const created = await kubectl("apply --server-side -f -", manifest("first", { color: "blue" }));
    expect(created).toBe("configmap/first serverside-applied\n");
    expect(fieldOwners(await get("first"))).toEqual({ "kubectl Apply": { "f:data": { "f:color": {} } } });
    expect((await get("first")).metadata.annotations).toBeUndefined();
    const { resourceVersion } = (await get("first")).metadata;
    await kubectl("apply --server-side -f -", manifest("first", { color: "blue" }));
    expect((await get("first")).metadata.resourceVersion).toBe(resourceVersion);
    await kubectl("apply --server-side -f -", manifest("first", { size: "2" }));
    expect(await get("first")).toMatchObject({ data: { size: "2" } });
    expect((await get("first"))["data"]).not.toHaveProperty("color");
  });

  test("--dry-run=server returns the result", async () => {
    const dry = "apply --server-side --dry-run=server -f -";
    expect(await kubectl(dry, manifest("first", { size: "3" }))).toBe(
      "configmap/first serverside-applied (server dry run)\n",
    );
    expect(await get("first")).toMatchObject({ data: { size: "2" } });
  });

  test("a field of another manager is a conflict", async () => {
    await apply({ color: "blue", size: "1" }, "one", "--field-manager=alice");
    expect(await refused({ color: "red" }, "one")).toBe(
      'error: Apply failed with 1 conflict: conflict with "alice": .data.color',
    );
    expect(await get("one")).toMatchObject({ data: { color: "blue" } });
  });

  test("a conflict is printed with ways to resolve it", async () => {
    const text = await refusal("apply --server-side -f -", manifest("one", { color: "red" }));
    const link = text.lastIndexOf("See http");
    expect(text.slice(0, link)).toBe(
      `error: Apply failed with 1 conflict: conflict with "alice": .data.color\n${ways}`,
    );
    expect(text.slice(link)).toMatch(/#conflicts\n$/);
  });

  test("several fields of another manager are listed", async () => {
    expect(await refused({ color: "red", size: "2" }, "one")).toBe(
      'error: Apply failed with 2 conflicts: conflicts with "alice":\n- .data.color\n- .data.size',
    );
  });

  test("fields of several managers are listed, including those of updates", async () => {
    await apply({ color: "blue", size: "1" }, "many", "--field-manager=alice");
    await apply({ color: "blue" }, "many", "--field-manager=bob");
    await cluster.patch("v1", "ConfigMap", "many", { data: { shape: "round" } }, { fieldManager: "carol" });
    expect(await refused({ color: "red", size: "2", shape: "square" }, "many")).toBe(
      "error: Apply failed with 4 conflicts: " +
        'conflicts with "alice":\n- .data.color\n- .data.size\n' +
        'conflicts with "bob":\n- .data.color\n' +
        'conflicts with "carol" using v1:\n- .data.shape',
    );
  });

  test("fields written through a subresource are listed with its name", async () => {
    const deployment = (replicas: number) =>
      JSON.stringify({
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "web" },
        spec: {
          replicas,
          selector: { matchLabels: { app: "web" } },
          template: {
            metadata: { labels: { app: "web" } },
            spec: { containers: [{ name: "c", image: "c" }] },
          },
        },
      });
    await kubectl("apply --server-side -f -", deployment(1));
    await cluster.patch(
      "apps/v1",
      "Deployment",
      "web",
      { spec: { replicas: 4 } },
      { subresource: "scale", fieldManager: "scaler" },
    );
    expect(await refusal("apply --server-side -f -", deployment(2))).toContain(
      'error: Apply failed with 1 conflict: conflict with "scaler" with subresource "scale" using apps/v1: .spec.replicas\n',
    );
    await kubectl("apply --server-side --force-conflicts -f -", deployment(2));
    expect(await cluster.get("apps/v1", "Deployment", "web")).toMatchObject({ spec: { replicas: 2 } });
  });

  test("fields in a keyed list are listed with their keys", async () => {
    const service = (ports: readonly JsonObject[]) =>
      JSON.stringify({ apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: { ports } });
    await kubectl(
      "apply --server-side --field-manager=alice -f -",
      service([
        { name: "a", port: 80, targetPort: 1 },
        { name: "b", port: 53, protocol: "UDP", targetPort: 2 },
      ]),
    );
    const other = service([
      { name: "a", port: 80, targetPort: 3 },
      { name: "b", port: 53, protocol: "UDP", targetPort: 4 },
    ]);
    expect(await refusal("apply --server-side -f -", other)).toContain(
      'error: Apply failed with 2 conflicts: conflicts with "alice":\n' +
        '- .spec.ports[port=53,protocol="UDP"].targetPort\n' +
        '- .spec.ports[port=80,protocol="TCP"].targetPort\n',
    );
  });

  test("--force-conflicts takes the fields", async () => {
    await apply({ color: "red" }, "one", "--force-conflicts");
    expect(await get("one")).toMatchObject({ data: { color: "red", size: "1" } });
    expect(fieldOwners(await get("one"))).toEqual({
      "alice Apply": { "f:data": { "f:size": {} } },
      "kubectl Apply": { "f:data": { "f:color": {} } },
    });
  });

  test("an equal value is shared, and stays with the other manager when one omits it", async () => {
    await apply({ color: "red", size: "1" }, "one", "--field-manager=alice");
    await apply({}, "one", "--field-manager=kubectl");
    expect(await get("one")).toMatchObject({ data: { color: "red" } });
    expect(fieldOwners(await get("one"))).toEqual({
      "alice Apply": { "f:data": { "f:color": {}, "f:size": {} } },
      "kubectl Apply": { "f:data": {} },
    });
  });

  test("a manifest with managedFields, or with a generated name, is refused", async () => {
    const owned = manifest("one", {}).replace('"name":"one"', '"name":"one","managedFields":[{}]');
    expect(await refusal("apply --server-side -f -", owned)).toContain("metadata.managedFields must be nil");
    const generated = manifest("one", {}).replace('"name":"one"', '"generateName":"one-"');
    expect(await refusal("apply --server-side -f -", generated)).toContain(
      "from one-: cannot use generate name with apply",
    );
  });

  test("an unknown field is refused, as on create", async () => {
    const unknown = manifest("one", {}).replace('"data"', '"date"');
    expect(await refusal("apply --server-side -f -", unknown)).toMatch(/date/);
  });

  testSince(21, "kubectl get --show-managed-fields")(
    "get shows managedFields only with --show-managed-fields",
    async () => {
      const shown = await kubectl("get configmap one -o yaml --show-managed-fields");
      expect(shown).toContain(
        "  managedFields:\n  - apiVersion: v1\n    fieldsType: FieldsV1\n    fieldsV1:\n      f:data:\n",
      );
      expect(await kubectl("get configmap one -o yaml")).not.toContain("managedFields");
    },
  );
});

describeKubectl("kubectl apply --server-side after client-side apply", ({ cluster, kubectl, run }) => {
  const get = (name: string) => cluster.get("v1", "ConfigMap", name);
  const annotated = (object: KubeObject) => JSON.parse(object.metadata.annotations?.[lastApplied] ?? "null");
  const annotation = { "f:metadata": { "f:annotations": { [`f:${lastApplied}`]: {} } } };
  const wholeAnnotation = { "f:metadata": { "f:annotations": { ".": {}, [`f:${lastApplied}`]: {} } } };

  beforeAll(async () => {
    await kubectl("apply -f -", manifest("moved", { color: "blue", size: "1" }));
  });

  test("a client-side apply is an Update that also owns the annotation", async () => {
    expect(fieldOwners(await get("moved"))).toEqual({
      "kubectl-client-side-apply Update": {
        "f:data": { ".": {}, "f:color": {}, "f:size": {} },
        ...wholeAnnotation,
      },
    });
  });

  const moves = testSince(26, "the migration of kubectl apply to server-side apply");

  moves("applied fields belong to kubectl from then on, and the annotation is kept up to date", async () => {
    const moved = await kubectl("apply --server-side -f -", manifest("moved", { color: "red", size: "1" }));
    expect(moved).toBe("configmap/moved serverside-applied\n");
    const object = await get("moved");
    expect(object).toMatchObject({ data: { color: "red", size: "1" } });
    expect(annotated(object)).toMatchObject({ data: { color: "red", size: "1" } });
    expect(fieldOwners(object)).toEqual({
      "kubectl Apply": { "f:data": { "f:color": {}, "f:size": {} } },
      "kubectl-last-applied Apply": annotation,
    });
  });

  moves("omitted fields are removed", async () => {
    await kubectl("apply --server-side -f -", manifest("moved", { color: "red" }));
    const object = await get("moved");
    expect(object["data"]).toEqual({ color: "red" });
    expect(annotated(object).data).toEqual({ color: "red" });
  });

  moves("fields omitted in the migrating apply are removed as well", async () => {
    await kubectl("apply -f -", manifest("dropped", { color: "blue", size: "1" }));
    await kubectl("apply --server-side -f -", manifest("dropped", { color: "blue" }));
    expect((await get("dropped"))["data"]).toEqual({ color: "blue" });
  });

  moves("omitted fields with a default are reset to it", async () => {
    const deployment = (spec: JsonObject): string =>
      JSON.stringify({
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "web" },
        spec: {
          ...spec,
          selector: { matchLabels: { app: "web" } },
          template: {
            metadata: { labels: { app: "web" } },
            spec: { containers: [{ name: "c", image: "c" }] },
          },
        },
      });
    await kubectl("apply -f -", deployment({ replicas: 3, minReadySeconds: 5 }));
    await kubectl("apply --server-side -f -", deployment({ minReadySeconds: 5 }));
    const object = await cluster.get("apps/v1", "Deployment", "web");
    expect(object).toMatchObject({ spec: { replicas: 1, minReadySeconds: 5, revisionHistoryLimit: 10 } });
    const { "kubectl Apply": applied, ...others } = fieldOwners(object);
    expect(Object.keys(others)).toEqual(["kubectl-last-applied Apply"]);
    expect(applied).not.toHaveProperty(["f:spec", "f:replicas"]);
    await kubectl("apply --server-side -f -", deployment({ minReadySeconds: 5 }));
    expect(await cluster.get("apps/v1", "Deployment", "web")).toEqual(object);
  });

  test("a field that another client has changed since is a conflict", async () => {
    await kubectl("apply -f -", manifest("patched", { color: "blue", size: "1" }));
    await kubectl(["patch", "configmap", "patched", "-p", '{"data":{"color":"green"}}']);
    const { stderr } = await run("apply --server-side -f -", {
      input: manifest("patched", { color: "red", size: "2" }),
    });
    expect(stderr).toContain(
      'error: Apply failed with 1 conflict: conflict with "kubectl-patch" using v1: .data.color\n',
    );
  });

  test("a manager other than kubectl gets a conflict instead of a migration", async () => {
    await kubectl("apply -f -", manifest("other", { color: "blue" }));
    const command = "apply --server-side --field-manager=other -f -";
    const { status, stderr } = await run(command, { input: manifest("other", { color: "red" }) });
    expect(status).toBe(1);
    expect(stderr).toContain(
      'error: Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.color\n',
    );
    await kubectl(`${command} --force-conflicts`, manifest("other", { color: "red" }));
    expect(fieldOwners(await get("other"))).toHaveProperty(["other Apply"]);
  });

  moves("a later client-side apply takes its fields back with the annotation", async () => {
    await kubectl("apply -f -", manifest("moved", { color: "green" }));
    const object = await get("moved");
    expect(object["data"]).toEqual({ color: "green" });
    expect(fieldOwners(object)).toMatchObject({
      "kubectl-client-side-apply Update": { "f:data": { "f:color": {} } },
    });
  });

  test("fields from before the first apply belong to before-first-apply", async () => {
    await cluster.create({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "bare" },
      data: { color: "x" },
    });
    await cluster.patch("v1", "ConfigMap", "bare", { metadata: { managedFields: [{}] } });
    expect((await get("bare")).metadata.managedFields).toBeUndefined();
    const { status, stderr } = await run("apply --server-side -f -", {
      input: manifest("bare", { color: "y" }),
    });
    expect(status).toBe(1);
    expect(stderr).toContain(
      'error: Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.color\n',
    );
    await kubectl("apply --server-side --force-conflicts -f -", manifest("bare", { color: "y" }));
    expect(fieldOwners(await get("bare"))).toEqual({
      "kubectl Apply": { "f:data": { "f:color": {} } },
      "before-first-apply Update": { "f:data": {} },
    });
  });
});
