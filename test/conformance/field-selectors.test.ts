import { beforeAll, describe, expect, test } from "vitest";
import { QuietServer } from "./quiet-server.ts";

const server = new QuietServer({
  runtimeConfig: new Map([
    ["certificates.k8s.io/v1alpha1", true],
    ["resource.k8s.io/v1beta1", true],
  ]),
});
const { cluster } = server;
const inDefault = (name: string) => ({ name, namespace: "default" });

beforeAll(async () => {
  const container = { name: "c", image: "x" };
  const template = {
    metadata: { labels: { app: "a" } },
    spec: { restartPolicy: "Never", containers: [container] },
  };
  await cluster.load([
    { apiVersion: "v1", kind: "ServiceAccount", metadata: inDefault("default") },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: inDefault("robot") },
    { apiVersion: "v1", kind: "Pod", metadata: inDefault("plain"), spec: { containers: [container] } },
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: inDefault("odd"),
      spec: {
        containers: [container],
        nodeName: "n1",
        restartPolicy: "OnFailure",
        schedulerName: "mine",
        serviceAccountName: "robot",
        hostNetwork: true,
      },
    },
    { apiVersion: "v1", kind: "Node", metadata: { name: "n1" }, spec: { unschedulable: true } },
    { apiVersion: "v1", kind: "Node", metadata: { name: "n2" } },
    { apiVersion: "v1", kind: "Secret", metadata: inDefault("typed"), type: "example.com/t" },
    { apiVersion: "v1", kind: "Secret", metadata: inDefault("opaque") },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: inDefault("headless"),
      spec: { clusterIP: "None", selector: { a: "b" } },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: inDefault("named"),
      spec: { type: "ExternalName", externalName: "a.example.com" },
    },
    {
      apiVersion: "v1",
      kind: "ReplicationController",
      metadata: inDefault("rc"),
      spec: {
        replicas: 2,
        selector: { app: "a" },
        template: { ...template, spec: { containers: [container] } },
      },
    },
    { apiVersion: "batch/v1", kind: "Job", metadata: inDefault("j"), spec: { template } },
    {
      apiVersion: "v1",
      kind: "Event",
      metadata: inDefault("e"),
      involvedObject: {
        apiVersion: "v1",
        kind: "Pod",
        namespace: "default",
        name: "plain",
        uid: "u-1",
        resourceVersion: "7",
        fieldPath: "spec.containers{c}",
      },
      reason: "Pulled",
      source: { component: "kubelet" },
      type: "Normal",
      firstTimestamp: "2026-11-20T00:00:00Z",
      lastTimestamp: "2026-11-20T00:00:00Z",
    },
    {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: inDefault("new"),
      eventTime: "2026-11-20T00:00:00.000000Z",
      reportingController: "example.com/c",
      reportingInstance: "c-1",
      action: "Act",
      reason: "Done",
      type: "Warning",
      regarding: { kind: "Node", namespace: "default", name: "n1" },
    },
  ]);
  const succeeded = { status: { replicas: 2 } };
  await cluster.patch("v1", "ReplicationController", "rc", succeeded, { subresource: "status" });
  const phase = {
    status: { phase: "Running", podIP: "10.1.1.1", podIPs: [{ ip: "10.1.1.1" }], nominatedNodeName: "n2" },
  };
  await cluster.patch("v1", "Pod", "odd", phase, { subresource: "status" });
});

const core = (resource: string) => `/api/v1/namespaces/default/${resource}`;
const events = "/apis/events.k8s.io/v1/namespaces/default/events";
const involved = ["kind=Pod", "name=plain", "uid=u-1", "apiVersion=v1", "resourceVersion=7"];

describe("objects are selected by the fields of their kind:", () => {
  test.each<[path: string, selector: string, names: readonly string[]]>([
    [core("pods"), "spec.nodeName=n1", ["odd"]],
    [core("pods"), "spec.nodeName=", ["plain"]],
    [core("pods"), "spec.host=n1", ["odd"]],
    [core("pods"), "spec.restartPolicy=OnFailure", ["odd"]],
    [core("pods"), "spec.schedulerName=default-scheduler", ["plain"]],
    [core("pods"), "spec.serviceAccountName=robot", ["odd"]],
    [core("pods"), "spec.hostNetwork=true", ["odd"]],
    [core("pods"), "spec.hostNetwork=false", ["plain"]],
    [core("pods"), "status.phase=Running", ["odd"]],
    [core("pods"), "status.phase!=Running", ["plain"]],
    [core("pods"), "status.podIP=10.1.1.1", ["odd"]],
    // The field is supported, but no pod has it.
    [core("pods"), "status.podIPs=10.1.1.1", []],
    [core("pods"), "status.nominatedNodeName=n2", ["odd"]],
    [core("pods"), "spec.nodeName=n1,status.phase=Running,metadata.name!=plain", ["odd"]],
    [core("pods"), "metadata.namespace=kube-system", []],
    ["/api/v1/nodes", "spec.unschedulable=true", ["n1"]],
    ["/api/v1/nodes", "spec.unschedulable=false", ["n2"]],
    ["/api/v1/namespaces", "status.phase=Active,name=default", ["default"]],
    ["/api/v1/namespaces", "name=default,metadata.name=kube-system", []],
    [core("secrets"), "type=example.com/t", ["typed"]],
    [core("secrets"), "type!=example.com/t", ["opaque"]],
    [core("services"), "spec.clusterIP=None", ["headless"]],
    [core("services"), "spec.type=ExternalName,spec.clusterIP=", ["named"]],
    [core("replicationcontrollers"), "status.replicas=2", ["rc"]],
    ["/apis/batch/v1/namespaces/default/jobs", "status.successful=0", ["j"]],
    ["/apis/batch/v1/namespaces/default/jobs", "status.successful=1", []],
    ...involved.map((term): [string, string, string[]] => [core("events"), `involvedObject.${term}`, ["e"]]),
    [core("events"), "involvedObject.namespace=default", ["e", "new"]],
    [core("events"), "involvedObject.fieldPath=spec.containers{c}", ["e"]],
    [core("events"), "reason=Pulled", ["e"]],
    [core("events"), "source=kubelet", ["e"]],
    // The reporting component is the source if no source is set.
    [core("events"), "source=example.com/c", ["new"]],
    [core("events"), "reportingComponent=example.com/c", ["new"]],
    [core("events"), "type=Warning", ["new"]],
    ...involved.map((term): [string, string, string[]] => [events, `regarding.${term}`, ["e"]]),
    [events, "regarding.fieldPath=spec.containers{c}", ["e"]],
    [events, "reportingController=example.com/c", ["new"]],
    [events, "reason=Done,type=Warning", ["new"]],
    [core("configmaps"), "metadata.name=nobody", []],
    ["/apis/certificates.k8s.io/v1/certificatesigningrequests", "spec.signerName=x", []],
    ["/apis/certificates.k8s.io/v1alpha1/clustertrustbundles", "spec.signerName=x", []],
    ["/apis/resource.k8s.io/v1beta1/resourceslices", "spec.nodeName=n1,spec.driver=d", []],
  ])("%s %s", async (path, selector, names) => {
    const list = await server.read(`${path}?fieldSelector=${encodeURIComponent(selector)}`);
    const { items } = list as { readonly items: readonly { readonly metadata: { readonly name: string } }[] };
    expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
  });
});

describe("a field that the kind does not support is refused:", () => {
  const generic = (label: string) =>
    `"${label}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
  const own = (label: string) => `field label not supported: ${label}`;

  test.each<[path: string, label: string, message: string]>([
    [core("pods"), "spec.hostname", own("spec.hostname")],
    ["/api/v1/nodes", "metadata.namespace", own("metadata.namespace")],
    ["/api/v1/namespaces", "metadata.namespace", own("metadata.namespace")],
    [core("secrets"), "data", own("data")],
    [core("services"), "spec.ports", own("spec.ports")],
    [core("replicationcontrollers"), "spec.replicas", own("spec.replicas")],
    [core("events"), "regarding.kind", own("regarding.kind")],
    [events, "involvedObject.kind", own("involvedObject.kind")],
    [events, "source", own("source")],
    [
      "/apis/certificates.k8s.io/v1/certificatesigningrequests",
      "metadata.namespace",
      own("metadata.namespace"),
    ],
    ["/apis/batch/v1/namespaces/default/jobs", "spec.x", 'field label "spec.x" not supported for Job'],
    [core("configmaps"), "data.x", generic("data.x")],
    ["/apis/apps/v1/deployments", "status.replicas", generic("status.replicas")],
    ["/apis/apps/v1/replicasets", "status.replicas", generic("status.replicas")],
    ["/apis/coordination.k8s.io/v1/leases", "spec.holderIdentity", generic("spec.holderIdentity")],
    ["/apis/rbac.authorization.k8s.io/v1/clusterroles", "rules", generic("rules")],
  ])("%s %s", async (path, label, message) => {
    for (const verb of ["", "&watch=1"]) {
      const answer = await server.ask({ method: "GET", target: `${path}?fieldSelector=${label}%3Dx${verb}` });
      expect([answer.status, JSON.parse(answer.text).message]).toEqual([400, message]);
    }
  });
});
