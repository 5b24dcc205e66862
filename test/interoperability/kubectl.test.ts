import { once } from "node:events";
import { expect, test } from "vitest";
import { describeKubectl, testSince } from "./kubectl.ts";

describeKubectl("kubectl", ({ cluster, server, start, run, kubectl }) => {
  const manifest = (name: string, color: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  labels:\n    app: ${name}\ndata:\n  color: ${color}\n`;
  const configMap = (name: string, color: string): Promise<string> =>
    kubectl("apply -f -", manifest(name, color));
  const color = (name: string): Promise<string> => kubectl(`get configmap ${name} -o jsonpath={.data.color}`);

  test("version", async () => {
    // kubectl of another release prints a warning.
    const { status, stdout } = await run("version");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Server Version: .*v1\.32\./m);
  });

  test("api-resources and api-versions", async () => {
    const resources = await kubectl("api-resources");
    expect(resources).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment$/m);
    expect(resources).toMatch(/^configmaps +cm +v1 +true +ConfigMap$/m);
    expect(resources).toMatch(/^nodes +no +v1 +false +Node$/m);
    expect((await kubectl("api-versions")).split("\n")).toEqual(expect.arrayContaining(["apps/v1", "v1"]));
  });

  test("explain", async () => {
    const text = await kubectl("explain pod.spec.containers");
    expect(text).toMatch(/^KIND: +Pod\nVERSION: +v1$/m);
    expect(text).toMatch(/^FIELD(: containers|S:)/m);
    expect(text).toMatch(/^ +imagePullPolicy\s+<string>/m);
    expect(await kubectl("explain deployments --recursive")).toMatch(
      /^ +matchLabels\s+<map\[string\]string>/m,
    );
  });

  test("sees the API of a newer release after an upgrade", async () => {
    const resources = () => kubectl("api-resources --api-group=networking.k8s.io -o name");
    expect(await resources()).not.toContain("servicecidrs");
    await cluster.upgrade("1.33");
    try {
      expect(await resources()).toContain("servicecidrs.networking.k8s.io\n");
      expect(await kubectl("get servicecidrs,networkpolicies -o name --ignore-not-found")).not.toContain(
        "error",
      );
      expect((await run("version")).stdout).toMatch(/^Server Version: .*v1\.33\./m);
    } finally {
      await cluster.downgrade("1.32");
    }
    expect(await resources()).not.toContain("servicecidrs");
  });

  test("client-side apply", async () => {
    expect(await configMap("applied", "blue")).toBe("configmap/applied created\n");
    expect(await configMap("applied", "blue")).toBe("configmap/applied unchanged\n");
    expect(await configMap("applied", "red")).toBe("configmap/applied configured\n");
    expect(await color("applied")).toBe("red");
    const dry = await kubectl("apply -f - --dry-run=server", manifest("applied", "green"));
    expect(dry).toBe("configmap/applied configured (server dry run)\n");
    expect(await color("applied")).toBe("red");
    const several = `${manifest("several-a", "red")}---\n${manifest("several-b", "red")}`;
    expect(await kubectl("apply -f -", several)).toBe(
      "configmap/several-a created\nconfigmap/several-b created\n",
    );
  });

  test("apply of a deployment merges the changes of other clients", async () => {
    await kubectl("create deployment merged --image=nginx:1");
    await kubectl("scale deployment merged --replicas=4");
    const deployment = (image: string) =>
      `apiVersion: apps/v1
kind: Deployment
metadata:
  name: merged
spec:
  selector: {matchLabels: {app: merged}}
  template:
    metadata: {labels: {app: merged}}
    spec: {containers: [{name: nginx, image: "${image}"}]}
`;
    const first = await run("apply -f -", { input: deployment("nginx:2") });
    expect(first.stdout).toBe("deployment.apps/merged configured\n");
    expect(first.stderr).toContain("missing the kubectl.kubernetes.io/last-applied-configuration annotation");
    expect(await kubectl("apply -f -", deployment("nginx:3"))).toBe("deployment.apps/merged configured\n");
    const path = "{.spec.replicas} {.spec.template.spec.containers[*].image}";
    expect(await kubectl(["get", "deployment", "merged", "-o", `jsonpath=${path}`])).toBe("4 nginx:3");
  });

  test("diff", async () => {
    await configMap("different", "blue");
    expect(await kubectl("diff -f -", manifest("different", "blue"))).toBe("");
    const { status, stdout } = await run("diff -f -", { input: manifest("different", "red") });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^- {2}color: blue\n\+ {2}color: red$/m);
    expect(await color("different")).toBe("blue");
  });

  test("get prints tables, including wide ones", async () => {
    await kubectl("create deployment shown --image=nginx:1 --replicas=2");
    expect(await kubectl("get deployment shown")).toMatch(
      /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE *\nshown +0\/2 +0 +0 +\d+s\n$/,
    );
    expect(await kubectl("get deployment shown -o wide")).toMatch(
      /^NAME .* CONTAINERS +IMAGES +SELECTOR *\nshown .* nginx +nginx:1 +app=shown\n$/,
    );
    await kubectl("run shown --image=busybox");
    expect(await kubectl("get pod shown")).toMatch(
      /^NAME +READY +STATUS +RESTARTS +AGE *\nshown +0\/1 .* 0 +\d+s\n$/,
    );
    expect(await kubectl("get pods shown --show-labels --no-headers")).toMatch(/ run=shown\n$/);
    expect(await run(["get", "pods", "nowhere"])).toMatchObject({
      status: 1,
      stderr: 'Error from server (NotFound): pods "nowhere" not found\n',
    });
    expect(await run(["get", "pods", "-n", "empty"])).toMatchObject({
      status: 0,
      stderr: "No resources found in empty namespace.\n",
    });
  });

  test("get prints objects", async () => {
    await configMap("printed", "blue");
    expect(await kubectl("get configmap printed -o name")).toBe("configmap/printed\n");
    expect(await kubectl("get configmap printed -o yaml")).toMatch(
      /^apiVersion: v1\ndata:\n {2}color: blue\nkind: ConfigMap\nmetadata:\n/,
    );
    const printed = JSON.parse(await kubectl("get configmap printed -o json"));
    expect(printed).toMatchObject({
      kind: "ConfigMap",
      metadata: { name: "printed" },
      data: { color: "blue" },
    });
    expect(await kubectl("get configmap printed -o custom-columns=C:.data.color")).toBe("C\nblue\n");
    const list = JSON.parse(await kubectl("get configmaps,serviceaccounts -o json"));
    expect(list.kind).toBe("List");
    expect(new Set(list.items.map(({ kind }: { kind: string }) => kind))).toEqual(
      new Set(["ConfigMap", "ServiceAccount"]),
    );
  });

  test("get across namespaces, by label and by field", async () => {
    await kubectl("create namespace other");
    await kubectl("create configmap here --from-literal=a=b -n other");
    await kubectl("label configmap here find=me -n other");
    await configMap("found", "blue");
    await kubectl("label configmap found find=me");
    expect(
      await kubectl("get configmaps -A -l find=me --no-headers -o custom-columns=N:.metadata.namespace"),
    ).toBe("default\nother\n");
    expect(await kubectl("get configmaps -A -l find=me")).toMatch(/^NAMESPACE +NAME +DATA +AGE *\n/);
    expect(await kubectl("get configmaps -n other --field-selector=metadata.name=here -o name")).toBe(
      "configmap/here\n",
    );
    expect(
      await kubectl(
        "get configmaps -A --field-selector=metadata.namespace=other,metadata.name!=kube-root-ca.crt -o name",
      ),
    ).toBe("configmap/here\n");
    expect(await kubectl("get configmaps -A --chunk-size=1 -l find=me -o name")).toBe(
      "configmap/found\nconfigmap/here\n",
    );
    const wrong = await run(["get", "configmaps", "--field-selector=data.color=blue"]);
    expect(wrong.stderr).toContain(
      '"data.color" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });

  test("get -w receives events, and its watch ends with the process", async () => {
    await configMap("watched", "blue");
    const child = start(["get", "configmap", "watched", "-w", "-o", "jsonpath={.data.color} "]);
    let seen = "";
    const says = async (text: string): Promise<void> => {
      while (!seen.includes(text)) await once(child.stdout as NodeJS.ReadableStream, "data");
    };
    child.stdout?.on("data", (piece) => {
      seen += piece;
    });
    await says("blue");
    while (server.openStreams === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await configMap("watched", "red");
    await says("red");
    child.kill();
    await server.allEnded();
    expect(seen.trim().split(" ")).toEqual(["blue", "red"]);
  });

  test("get -w prints rows as they arrive", async () => {
    const child = start(["get", "configmaps", "-w", "-l", "app=row", "--no-headers"]);
    let seen = "";
    child.stdout?.on("data", (piece) => {
      seen += piece;
    });
    while (server.openStreams === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await configMap("row", "blue");
    while (!seen.includes("\n")) await once(child.stdout as NodeJS.ReadableStream, "data");
    expect(seen).toMatch(/^row +1 +\ds\n$/);
    child.kill();
    await server.allEnded();
  });

  test("describe", async () => {
    await configMap("described", "blue");
    expect(await kubectl("describe configmap described")).toMatch(
      /^Name: +described\nNamespace: +default\nLabels: +app=described\n/,
    );
    await kubectl("create deployment described --image=nginx:1");
    expect(await kubectl("describe deployment described")).toMatch(
      /^Replicas: +1 desired \| 0 updated \| 0 total/m,
    );
    await kubectl("run described --image=busybox");
    expect(await kubectl("describe pod described")).toMatch(/^ {4}Image: +busybox$/m);
    expect(await kubectl("describe namespace default")).toMatch(/^Status: +Active$/m);
  });

  test("get --raw", async () => {
    const { paths } = JSON.parse(await kubectl("get --raw /openapi/v3"));
    expect(paths["api/v1"].serverRelativeURL).toMatch(/^\/openapi\/v3\/api\/v1\?hash=/);
    expect(JSON.parse(await kubectl("get --raw /version")).minor).toBe("32");
    expect(await kubectl("get --raw /healthz")).toBe("ok");
  });

  test("the server validates fields", async () => {
    const text = `${manifest("strict", "blue")}colour: red\n`;
    const refused = await run("create -f -", { input: text });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('unknown field "colour"');
  });

  testSince(25, "kubectl create --validate=warn")("field validation can return a warning", async () => {
    const text = `${manifest("warned", "blue")}colour: red\n`;
    const warned = await run("create --validate=warn -f -", { input: text });
    expect(warned).toEqual({
      status: 0,
      stdout: "configmap/warned created\n",
      stderr: 'Warning: unknown field "colour"\n',
    });
  });
});
