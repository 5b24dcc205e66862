import { beforeAll, expect, test } from "vitest";
import { fieldOwners } from "./field-owners.ts";
import { describeKubectlInOrder, testSince } from "./kubectl.ts";

const configMap = (name: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, labels: { app: "web" } },
});

describeKubectlInOrder("kubectl", ({ cluster, kubectl, refusal, run }) => {
  const metadata = async (name: string) => (await cluster.get("v1", "ConfigMap", name)).metadata;

  beforeAll(() => cluster.load(["one", "two", "three"].map(configMap)));

  test("label adds, keeps, replaces on request, and removes labels", async () => {
    expect(await kubectl("label configmap one tier=gold size=2")).toBe("configmap/one labeled\n");
    expect((await metadata("one")).labels).toEqual({ app: "web", tier: "gold", size: "2" });
    expect(await refusal("label configmap one tier=silver")).toContain(
      "'tier' already has a value (gold), and --overwrite is false\n",
    );
    await kubectl("label configmap one tier=silver --overwrite");
    await kubectl("label configmap one size-");
    expect((await metadata("one")).labels).toEqual({ app: "web", tier: "silver" });
  });

  testSince(22, "the output of kubectl label for removed labels")("label reports what it did", async () => {
    expect(await kubectl("label configmap two tier=gold")).toBe("configmap/two labeled\n");
    expect(await kubectl("label configmap two tier=gold")).toBe("configmap/two not labeled\n");
    expect(await kubectl("label configmap two tier-")).toBe("configmap/two unlabeled\n");
    expect(await kubectl("label configmap two tier-")).toBe(
      'label "tier" not found.\nconfigmap/two not labeled\n',
    );
  });

  test("label accepts a selector, and --all", async () => {
    expect(await kubectl("label configmaps -l app=web found=yes")).toBe(
      "configmap/one labeled\nconfigmap/three labeled\nconfigmap/two labeled\n",
    );
    const { stdout } = await run("label configmaps --all every=one");
    expect(stdout.split("\n")).toHaveLength(5);
    expect((await metadata("kube-root-ca.crt")).labels).toEqual({ every: "one" });
  });

  test("label --resource-version is a precondition", async () => {
    expect(await refusal("label configmap one tier=gold --overwrite --resource-version=1")).toBe(
      'Error from server (Conflict): Operation cannot be fulfilled on configmaps "one": the object has been modified; please apply your changes to the latest version and try again\n',
    );
    const { resourceVersion } = await metadata("one");
    await kubectl(`label configmap one tier=gold --overwrite --resource-version=${resourceVersion}`);
    expect((await metadata("one")).labels).toMatchObject({ tier: "gold" });
  });

  test("an invalid label is refused by the server", async () => {
    expect(await refusal("label configmap one Bad/_key=x")).toMatch(
      /^The ConfigMap "one" is invalid: \n\* metadata\.labels: Invalid value: "Bad\/_key": prefix part .*\n\* metadata\.labels: Invalid value: "Bad\/_key": name part .*\n$/,
    );
  });

  test("annotate adds, replaces on request, and removes annotations", async () => {
    expect(await kubectl(["annotate", "configmap", "one", "note=a text, = and all"])).toMatch(
      /^configmap\/one annotated?\n$/,
    );
    expect((await metadata("one")).annotations).toEqual({ note: "a text, = and all" });
    expect(await refusal("annotate configmap one note=other")).toContain("--overwrite is false");
    await kubectl("annotate configmap one note=other --overwrite --dry-run=server");
    expect((await metadata("one")).annotations).toEqual({ note: "a text, = and all" });
    await kubectl("annotate configmap one note-");
    expect((await metadata("one")).annotations).toBeUndefined();
  });

  test("each command has its own field manager", async () => {
    expect(fieldOwners(await cluster.get("v1", "ConfigMap", "one"))).toMatchObject({
      "kubectl-label Update": { "f:metadata": { "f:labels": { "f:tier": {} } } },
    });
  });
});
