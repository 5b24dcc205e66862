import { expect, test } from "vitest";
import { describeKubectlInOrder, type Kubectl } from "./kubectl.ts";

const name = "v1beta1.metrics.k8s.io";
const gv = "/apis/metrics.k8s.io/v1beta1";
const verbs = ["get", "list"];
const resources = [
  { name: "nodes", singularName: "", namespaced: false, kind: "NodeMetrics", verbs },
  { name: "pods", singularName: "", namespaced: true, kind: "PodMetrics", verbs },
];
const usage = { cpu: "250m", memory: "128Mi" };
const timestamp = "2026-01-01T00:00:00Z";

// With aggregated discovery, which servers have since 1.27, kubectl leaves out what is down without a word.
const options = { release: "1.26" };

const tests = ({ cluster, kubectl, run }: Kubectl): void => {
  let isUp = true;

  test("kubectl top reads metrics from a function", async () => {
    await cluster.create({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web" },
      spec: { containers: [{ name: "c", image: "c" }] },
    });
    await cluster.apiServer(name, (request) => {
      const { pathname } = new URL(request.url);
      if (!isUp) return new Response("down", { status: 500 });
      if (pathname === gv)
        return Response.json({ kind: "APIResourceList", groupVersion: "metrics.k8s.io/v1beta1", resources });
      if (pathname !== `${gv}/namespaces/default/pods`)
        return new Response("404 page not found", { status: 404 });
      const metadata = { name: "web", namespace: "default", creationTimestamp: timestamp };
      const items = [{ metadata, timestamp, window: "30s", containers: [{ name: "c", usage }] }];
      return Response.json({
        kind: "PodMetricsList",
        apiVersion: "metrics.k8s.io/v1beta1",
        metadata: {},
        items,
      });
    });
    expect((await kubectl("top pods")).replace(/ +/g, " ")).toBe(
      "NAME CPU(cores) MEMORY(bytes) \nweb 250m 128Mi \n",
    );
    expect((await kubectl(`get apiservice ${name}`)).replace(/ +/g, " ")).toMatch(
      /^NAME SERVICE AVAILABLE AGE\nv1beta1.metrics.k8s.io default\/v1beta1-metrics-k8s-io True \S+\n$/,
    );
  });

  test("kubectl says that discovery is not complete while the server is down", async () => {
    isUp = false;
    // A change of the object has it checked at once.
    await cluster.patch("apiregistration.k8s.io/v1", "APIService", name, { spec: { versionPriority: 101 } });
    await cluster.settle();
    expect(await kubectl(`get apiservice ${name}`)).toContain("False (FailedDiscoveryCheck)");
    const { status, stdout, stderr } = await run("api-resources --cached=false");
    expect(status).toBe(1);
    expect(stdout).toContain("configmaps");
    expect(stderr).toContain(
      "error: unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: the server is currently unable to handle the request\n",
    );
    expect((await run("top pods")).stderr).toContain("(get pods.metrics.k8s.io)");
  });
};

describeKubectlInOrder("kubectl and an API of another server", tests, options);
