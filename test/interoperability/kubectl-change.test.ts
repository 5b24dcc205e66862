import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { describeKubectl, describeKubectlInOrder, testSince } from "./kubectl.ts";

const manifest = (name: string, color: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  color: ${color}\n`;

const configMap = (name: string, data: JsonObject = { color: "blue" }): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data,
});

const deployment: JsonObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: {
        containers: [
          { name: "a", image: "a:1" },
          { name: "b", image: "b:1" },
        ],
      },
    },
  },
};

describeKubectlInOrder("kubectl patch", ({ cluster, file, kubectl, refusal }) => {
  const get = () => cluster.get("apps/v1", "Deployment", "web");
  const images = async () => {
    const { spec } = (await get()) as unknown as {
      readonly spec: { readonly template: { readonly spec: { readonly containers: readonly JsonObject[] } } };
    };
    return spec.template.spec.containers.map(({ name, image }) => `${name}=${image}`);
  };
  const containers = (...list: readonly JsonObject[]) =>
    JSON.stringify({ spec: { template: { spec: { containers: list } } } });

  beforeAll(async () => {
    await cluster.load([deployment, configMap("plain")]);
  });

  test("strategic, the default: lists are merged by their key", async () => {
    expect(await kubectl(["patch", "deployment", "web", "-p", containers({ name: "b", image: "b:2" })])).toBe(
      "deployment.apps/web patched\n",
    );
    expect(await images()).toEqual(["a=a:1", "b=b:2"]);
  });

  test("strategic: a directive deletes", async () => {
    await kubectl(["patch", "deployment", "web", "-p", containers({ name: "b", $patch: "delete" })]);
    expect(await images()).toEqual(["a=a:1"]);
  });

  test("merge: lists are replaced", async () => {
    await kubectl([
      "patch",
      "deployment",
      "web",
      "--type=merge",
      "-p",
      containers({ name: "c", image: "c" }),
    ]);
    expect(await images()).toEqual(["c=c"]);
  });

  test("json: operations, in YAML as well, from a file", async () => {
    const path = file(
      "patch.yaml",
      "- op: replace\n  path: /spec/template/spec/containers/0/image\n  value: c:2\n",
    );
    await kubectl(`patch deployment web --type=json --patch-file=${path}`);
    expect(await images()).toEqual(["c=c:2"]);
  });

  test("a patch without effect is reported as such", async () => {
    expect(await kubectl(["patch", "configmap", "plain", "-p", '{"data":{"color":"blue"}}'])).toBe(
      "configmap/plain patched (no change)\n",
    );
  });

  test.each<[title: string, args: readonly string[], text: string | RegExp]>([
    [
      "a failed test operation",
      ["--type=json", "-p", '[{"op":"test","path":"/data/color","value":"red"}]'],
      /^The request is invalid(: the server rejected our request due to an error in our request)?\n$/,
    ],
    [
      "a missing path",
      ["--type=json", "-p", '[{"op":"remove","path":"/data/size"}]'],
      /^The request is invalid(: the server rejected our request due to an error in our request)?\n$/,
    ],
    [
      "another name",
      ["--type=merge", "-p", '{"metadata":{"name":"other"}}'],
      "Error from server (BadRequest): the name of the object (other) does not match the name on the URL (plain)\n",
    ],
    [
      "an outdated resourceVersion",
      ["-p", '{"metadata":{"resourceVersion":"1"},"data":{"a":"b"}}'],
      'Error from server (Conflict): Operation cannot be fulfilled on configmaps "plain": the object has been modified; please apply your changes to the latest version and try again\n',
    ],
  ])("%s is refused", async (_title, args, text) => {
    expect(await refusal(["patch", "configmap", "plain", ...args])).toEqual(
      typeof text === "string" ? text : expect.stringMatching(text),
    );
  });

  test("a patch that does not match the kind is refused", async () => {
    const text = await refusal(["patch", "configmap", "plain", "--type=merge", "-p", '{"data":7}']);
    expect(text).toMatch(
      /patch: Invalid value: "\{\\"apiVersion\\":\\"v1\\",\\"data\\":7,\\"kind\\":\\"ConfigMap\\"/,
    );
    expect(text).toMatch(
      /: json: cannot unmarshal number into Go struct field ConfigMap\.data of type map\[string\]string\n$/,
    );
  });

  test("an invalid result is refused with its causes", async () => {
    const patch = { spec: { replicas: -1, template: { spec: { restartPolicy: "Never" } } } };
    expect(await refusal(["patch", "deployment", "web", "-p", JSON.stringify(patch)])).toBe(
      'The Deployment "web" is invalid: \n' +
        "* spec.replicas: Invalid value: -1: must be greater than or equal to 0\n" +
        '* spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"\n',
    );
  });

  const withSubresource = testSince(24, "kubectl patch --subresource");

  withSubresource("--subresource=status writes only the status", async () => {
    const patch = JSON.stringify({ spec: { replicas: 9 }, status: { replicas: 3 } });
    await kubectl(["patch", "deployment", "web", "--subresource=status", "--type=merge", "-p", patch]);
    expect(await get()).toMatchObject({ spec: { replicas: 1 }, status: { replicas: 3 } });
    await kubectl(["patch", "deployment", "web", "--type=merge", "-p", '{"status":{"replicas":7}}']);
    expect(await get()).toMatchObject({ status: { replicas: 3 } });
  });

  withSubresource("--subresource=scale writes the replicas", async () => {
    const patch = ["patch", "deployment", "web", "--subresource=scale", "--type=merge", "-p"];
    expect(await kubectl([...patch, '{"spec":{"replicas":2}}'])).toBe("scale.autoscaling/web patched\n");
    expect(await get()).toMatchObject({ spec: { replicas: 2 } });
    expect(await kubectl("get deployment web --subresource=scale -o jsonpath={.kind}{.spec.replicas}")).toBe(
      "Scale2",
    );
  });
});

describeKubectl("kubectl replace", ({ cluster, kubectl, refusal, run }) => {
  const stored = (name: string) => cluster.get("v1", "ConfigMap", name);

  beforeAll(() => cluster.load([configMap("changed"), configMap("again")]));

  test("replaces the content of an object and keeps its uid", async () => {
    const { metadata } = await stored("changed");
    expect(await kubectl("replace -f -", manifest("changed", "red"))).toBe("configmap/changed replaced\n");
    const after = await stored("changed");
    expect(after).toMatchObject({ data: { color: "red" }, metadata: { uid: metadata.uid } });
    expect(await kubectl("replace --dry-run=server -f -", manifest("changed", "green"))).toBe(
      "configmap/changed replaced (server dry run)\n",
    );
    expect(await stored("changed")).toEqual(after);
  });

  test("is refused for a missing object, and for an outdated resourceVersion", async () => {
    expect(await refusal("replace -f -", manifest("missing", "red"))).toBe(
      'Error from server (NotFound): error when replacing "STDIN": configmaps "missing" not found\n',
    );
    const stale = manifest("changed", "red").replace(
      "name: changed",
      'name: changed\n  resourceVersion: "1"',
    );
    expect(await refusal("replace -f -", stale)).toBe(
      'Error from server (Conflict): error when replacing "STDIN": Operation cannot be fulfilled on configmaps "changed": the object has been modified; please apply your changes to the latest version and try again\n',
    );
  });

  test("--force deletes and recreates the object", async () => {
    const { metadata } = await stored("again");
    const { status, stdout } = await run("replace --force -f -", { input: manifest("again", "red") });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'configmap "again" deleted\nconfigmap/again replaced\n',
    });
    const { data, metadata: fresh } = await stored("again");
    expect(data).toEqual({ color: "red" });
    expect(fresh.uid).not.toBe(metadata.uid);
  });

  test("--force creates a missing object", async () => {
    expect(await kubectl("replace --force -f -", manifest("fresh", "red"))).toBe(
      "configmap/fresh replaced\n",
    );
    expect(await stored("fresh")).toMatchObject({ data: { color: "red" } });
  });
});

describeKubectlInOrder("kubectl edit", ({ cluster, file, run }) => {
  const edit = (command: string, editor: string) => run(`edit ${command}`, { env: { KUBE_EDITOR: editor } });

  beforeAll(() => cluster.load([deployment, configMap("one"), configMap("two")]));

  test("sends the edited object", async () => {
    expect(await edit("configmap one", "sed -i s/blue/green/")).toEqual({
      status: 0,
      stdout: "configmap/one edited\n",
      stderr: "",
    });
    expect(await cluster.get("v1", "ConfigMap", "one")).toMatchObject({ data: { color: "green" } });
  });

  test("sends nothing when nothing was changed", async () => {
    expect(await edit("configmap one", "true")).toEqual({
      status: 0,
      stdout: "",
      stderr: "Edit cancelled, no changes made.\n",
    });
  });

  test("sends only the changed objects of several", async () => {
    expect((await edit("configmap one two", "sed -i s/blue/red/")).stdout).toBe(
      "configmap/one skipped\nconfigmap/two edited\n",
    );
    expect(await cluster.get("v1", "ConfigMap", "two")).toMatchObject({ data: { color: "red" } });
  });

  test("reopens the file with the causes if the server finds it invalid", async () => {
    const reopened = file("reopened", "");
    const editor = file(
      "editor.sh",
      `if grep -q 'was not valid' "$1"; then cp "$1" ${reopened}; sed -i 's/replicas: -1/replicas: 4/' "$1"
else sed -i 's/replicas: 1$/replicas: -1/' "$1"; fi\n`,
    );
    expect(await edit("deployment web", `sh ${editor}`)).toEqual({
      status: 0,
      stdout: "deployment.apps/web edited\n",
      stderr: 'error: deployments.apps "web" is invalid\n',
    });
    expect(readFileSync(reopened, "utf8")).toContain(
      '# deployments.apps "web" was not valid:\n# * spec.replicas: Invalid value: -1: must be greater than or equal to 0\n#\n',
    );
    expect(await cluster.get("apps/v1", "Deployment", "web")).toMatchObject({ spec: { replicas: 4 } });
  });
});
