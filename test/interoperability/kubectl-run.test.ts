import { expect, test } from "vitest";
import { describeKubectlInOrder, testSince } from "./kubectl.ts";

const missing = (list: { readonly items: readonly unknown[] }) => expect(list.items).toEqual([]);

describeKubectlInOrder("kubectl run", ({ cluster, kubectl, refusal }) => {
  const pod = (name: string) => cluster.get("v1", "Pod", name);
  const named = (name: string) => ({ fieldSelector: `metadata.name=${name}` });

  test("creates a pod with the fields of its flags and those of the server", async () => {
    const flags = "--image=nginx:1 --labels=app=web,tier=front --env=A=b --port=80 --restart=Never";
    expect(await kubectl(`run web ${flags}`)).toBe("pod/web created\n");
    expect(await pod("web")).toMatchObject({
      metadata: { labels: { app: "web", tier: "front" } },
      spec: {
        restartPolicy: "Never",
        dnsPolicy: "ClusterFirst",
        serviceAccountName: "default",
        terminationGracePeriodSeconds: 30,
        containers: [
          {
            name: "web",
            image: "nginx:1",
            imagePullPolicy: "IfNotPresent",
            env: [{ name: "A", value: "b" }],
            ports: [{ containerPort: 80, protocol: "TCP" }],
          },
        ],
      },
      status: { phase: "Pending", qosClass: "BestEffort" },
    });
  });

  test("passes arguments to the image's command, or another command", async () => {
    await kubectl("run args --image=busybox -- echo -n a");
    await kubectl("run command --image=busybox --command -- sleep 1");
    expect(await pod("args")).toMatchObject({
      metadata: { labels: { run: "args" } },
      spec: { restartPolicy: "Always", containers: [{ args: ["echo", "-n", "a"] }] },
    });
    expect(await pod("command")).toMatchObject({ spec: { containers: [{ command: ["sleep", "1"] }] } });
  });

  test("--dry-run=server sends a request, but stores nothing", async () => {
    const dry = "run ghost --image=nginx --dry-run=server";
    expect(await kubectl(dry)).toBe("pod/ghost created (server dry run)\n");
    const printed = JSON.parse(await kubectl(`${dry} -o json`));
    expect(printed).toMatchObject({ metadata: { uid: expect.any(String) }, status: { phase: "Pending" } });
    missing(await cluster.list("v1", "Pod", named("ghost")));
  });

  test("--expose creates a service for the pod", async () => {
    expect(await kubectl("run exposed --image=nginx --port=80 --expose")).toBe(
      "service/exposed created\npod/exposed created\n",
    );
    expect(await cluster.get("v1", "Service", "exposed")).toMatchObject({
      spec: { selector: { run: "exposed" }, ports: [{ port: 80, targetPort: 80 }] },
    });
  });

  test("--rm requires --attach", async () => {
    expect(await refusal("run temporary --image=nginx --rm")).toContain(
      "error: --rm should only be used for attached containers",
    );
    missing(await cluster.list("v1", "Pod", named("temporary")));
  });

  test("is refused if a pod with the name exists", async () => {
    expect(await refusal("run web --image=nginx")).toBe(
      'Error from server (AlreadyExists): pods "web" already exists\n',
    );
  });

  test("is refused with the server's message for an invalid name", async () => {
    expect(await refusal("run Web --image=nginx")).toMatch(
      /^The Pod "Web" is invalid: \n\* metadata\.name: Invalid value: "Web": a lowercase RFC 1123 subdomain .*\n\* spec\.containers\[0\]\.name: Invalid value: "Web": a lowercase RFC 1123 label .*\n$/,
    );
  });
});

describeKubectlInOrder("kubectl expose", ({ cluster, kubectl, refusal }) => {
  const service = (name: string) => cluster.get("v1", "Service", name);

  test("creates a service for a pod with its labels and ports", async () => {
    await kubectl("run web --image=nginx --labels=app=web --port=8080");
    expect(await kubectl("expose pod web --port=80 --target-port=8080 --name=front")).toBe(
      "service/front exposed\n",
    );
    expect(await service("front")).toMatchObject({
      metadata: { labels: { app: "web" } },
      spec: {
        type: "ClusterIP",
        selector: { app: "web" },
        ports: [{ port: 80, targetPort: 8080, protocol: "TCP" }],
        sessionAffinity: "None",
        internalTrafficPolicy: "Cluster",
      },
    });
  });

  test("creates a service for the pods of a deployment with the ports of its template", async () => {
    await kubectl("create deployment api --image=nginx --port=8080");
    expect(await kubectl("expose deployment api --type=NodePort --session-affinity=ClientIP")).toBe(
      "service/api exposed\n",
    );
    expect(await service("api")).toMatchObject({
      spec: {
        type: "NodePort",
        selector: { app: "api" },
        ports: [{ port: 8080, targetPort: 8080, nodePort: expect.any(Number) }],
        sessionAffinity: "ClientIP",
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } },
        externalTrafficPolicy: "Cluster",
      },
    });
  });

  test("creates a service for the pods of a replication controller", async () => {
    await cluster.create({
      apiVersion: "v1",
      kind: "ReplicationController",
      metadata: { name: "old" },
      spec: {
        selector: { app: "old" },
        template: { metadata: { labels: { app: "old" } }, spec: { containers: [{ name: "c", image: "c" }] } },
      },
    });
    expect(await kubectl("expose rc old --port=80 --cluster-ip=None -l tier=back")).toBe(
      "service/old exposed\n",
    );
    expect(await service("old")).toMatchObject({
      metadata: { labels: { tier: "back" } },
      spec: { clusterIP: "None", selector: { app: "old" } },
    });
  });

  testSince(21, "merging --overrides")(
    "--dry-run=server stores no service and allocates no address",
    async () => {
      const dry = "expose pod web --port=80 --name=ghost --dry-run=server";
      expect(await kubectl(dry)).toBe("service/ghost exposed (server dry run)\n");
      missing(await cluster.list("v1", "Service", { fieldSelector: "metadata.name=ghost" }));
    },
  );

  test("requires a port, and a new name", async () => {
    await kubectl("create deployment portless --image=nginx");
    expect(await refusal("expose deployment portless")).toMatch(
      /^error: couldn't find port via --port flag or introspection\n/,
    );
    expect(await refusal("expose pod web --port=80 --name=front")).toBe(
      'Error from server (AlreadyExists): services "front" already exists\n',
    );
  });
});
