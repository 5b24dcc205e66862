import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { fieldOwners } from "./field-owners.ts";
import { describeKubectlInOrder } from "./kubectl.ts";

const deployment = (name: string): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, labels: { tier: "front" } },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          { name: "web", image: "nginx:1", env: [{ name: "KEPT", value: "1" }] },
          { name: "side", image: "busybox:1" },
        ],
        initContainers: [{ name: "init", image: "busybox:1" }],
      },
    },
  },
});

describeKubectlInOrder("kubectl set", ({ cluster, kubectl, run, refusal }) => {
  const get = (name: string) => cluster.get("apps/v1", "Deployment", name);
  const podSpec = async (name: string) => {
    const { spec } = await get(name);
    return (spec as { readonly template: { readonly spec: JsonObject } }).template.spec;
  };

  beforeAll(async () => {
    await cluster.load(["a", "b", "c"].map(deployment));
    await cluster.create({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "vars" },
      data: { COLOR: "x" },
    });
    await cluster.create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "keys" },
      data: { KEY: "eA==" },
    });
  });

  test("image changes one container, or all containers of all objects", async () => {
    expect(await kubectl("set image deployment/a web=nginx:2 init=busybox:2")).toBe(
      "deployment.apps/a image updated\n",
    );
    expect(await podSpec("a")).toMatchObject({
      containers: [
        { name: "web", image: "nginx:2" },
        { name: "side", image: "busybox:1" },
      ],
      initContainers: [{ name: "init", image: "busybox:2" }],
    });
    expect((await get("a")).metadata.generation).toBe(2);
    expect(await kubectl("set image deployment -l tier=front *=nginx:3")).toBe(
      "deployment.apps/a image updated\ndeployment.apps/b image updated\ndeployment.apps/c image updated\n",
    );
    expect(await podSpec("b")).toMatchObject({ containers: [{ image: "nginx:3" }, { image: "nginx:3" }] });
  });

  test("image refuses a missing container, and prints nothing without a change", async () => {
    expect(await refusal("set image deployment/a missing=nginx")).toBe(
      'error: unable to find container named "missing"\n',
    );
    const { metadata } = await get("a");
    expect(await kubectl("set image deployment/a web=nginx:3")).toBe("");
    expect((await get("a")).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  test("env sets values, also from config maps and secrets, and removes them", async () => {
    expect(await kubectl("set env deployment/a -c web COLOR=blue KEPT-")).toBe(
      "deployment.apps/a env updated\n",
    );
    await kubectl("set env deployment/a -c web --from=configmap/vars --prefix=VAR_");
    await kubectl("set env deployment/a -c web --from=secret/keys");
    const env = [
      { name: "COLOR", value: "blue" },
      { name: "VAR_COLOR", valueFrom: { configMapKeyRef: { name: "vars", key: "COLOR" } } },
      { name: "KEY", valueFrom: { secretKeyRef: { name: "keys", key: "KEY" } } },
    ];
    const { containers } = (await podSpec("a")) as { readonly containers: readonly JsonObject[] };
    expect(containers.map((container) => container["env"])).toEqual([env, undefined]);
    expect(await kubectl("set env deployment/a --list -c web --resolve")).toBe(
      "# Deployment a, container web\nCOLOR=blue\nVAR_COLOR=x\nKEY=x\n",
    );
  });

  test("resources sets limits and requests", async () => {
    expect(
      await kubectl("set resources deployment b -c web --limits=cpu=200m,memory=64Mi --requests=cpu=100m"),
    ).toBe("deployment.apps/b resource requirements updated\n");
    expect(await podSpec("b")).toMatchObject({
      containers: [
        { resources: { limits: { cpu: "200m", memory: "64Mi" }, requests: { cpu: "100m" } } },
        { resources: {} },
      ],
    });
    expect(await refusal("set resources deployment b -c web --requests=cpu=1")).toBe(
      'error: failed to patch resources update to pod template Deployment.apps "b" is invalid: spec.template.spec.containers[0].resources.requests: Invalid value: "1": must be less than or equal to cpu limit of 200m\n',
    );
    expect(await kubectl("set resources deployment b -c web --limits=cpu=0,memory=0 --requests=cpu=0")).toBe(
      "deployment.apps/b resource requirements updated\n",
    );
    expect(await podSpec("b")).toMatchObject({
      containers: [{ resources: { limits: { cpu: "0", memory: "0" }, requests: { cpu: "0" } } }, {}],
    });
  });

  test("selector replaces the whole selector of a service", async () => {
    await kubectl("create service clusterip front --tcp=80");
    expect(await kubectl("set selector service front app=a,tier=front")).toBe(
      "service/front selector updated\n",
    );
    const { spec } = await cluster.get("v1", "Service", "front");
    expect(spec).toMatchObject({ selector: { app: "a", tier: "front" } });
    await kubectl("set selector service front tier=back");
    expect((await cluster.get("v1", "Service", "front"))["spec"]).toHaveProperty("selector", {
      tier: "back",
    });
    expect(await refusal("set selector service front tier=front --resource-version=1")).toMatch(
      /^Error from server \(Conflict\): Operation cannot be fulfilled on services "front": the object has been modified; please apply your changes to the latest version and try again\n$/,
    );
  });

  test("serviceaccount sets both fields", async () => {
    expect(await kubectl("set serviceaccount deployment c robot")).toBe(
      "deployment.apps/c serviceaccount updated\n",
    );
    expect(await podSpec("c")).toMatchObject({ serviceAccount: "robot", serviceAccountName: "robot" });
    await kubectl("set serviceaccount deployment c other");
    expect(await podSpec("c")).toMatchObject({ serviceAccount: "other", serviceAccountName: "other" });
  });

  test("serviceaccount is refused by the server for an invalid name", async () => {
    expect(await refusal("set serviceaccount deployment c Bad_name")).toMatch(
      /^error: failed to patch ServiceAccountName Deployment\.apps "c" is invalid: spec\.template\.spec\.serviceAccountName: Invalid value: "Bad_name": a lowercase RFC 1123 subdomain must consist of /,
    );
  });

  test("subject adds to the subjects of a binding", async () => {
    await kubectl("create rolebinding readers --clusterrole=view --user=alice");
    expect(await kubectl("set subject rolebinding readers --user=bob --serviceaccount=default:robot")).toBe(
      "rolebinding.rbac.authorization.k8s.io/readers subjects updated\n",
    );
    const { subjects } = await cluster.get("rbac.authorization.k8s.io/v1", "RoleBinding", "readers");
    expect(subjects).toEqual([
      { kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "alice" },
      { kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "bob" },
      { kind: "ServiceAccount", name: "robot", namespace: "default" },
    ]);
  });

  test("--dry-run=server prints the result, and changes nothing", async () => {
    const ended = await run("set image deployment/c web=nginx:9 --dry-run=server");
    expect(ended).toEqual({
      status: 0,
      stdout: "deployment.apps/c image updated (server dry run)\n",
      stderr: "",
    });
    expect(await podSpec("c")).toMatchObject({ containers: [{ image: "nginx:3" }, { image: "nginx:3" }] });
  });

  test("writes as the field manager kubectl-set", async () => {
    expect(fieldOwners(await get("b"))).toHaveProperty(["kubectl-set Update"]);
  });
});
