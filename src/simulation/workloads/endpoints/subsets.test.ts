import { expect, test } from "vitest";
import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { sinceOf } from "../../../apimachinery/release.ts";
import { subsetsOf } from "./subsets.ts";

/** The number of a port by its name. */
type Ports = { readonly [name: string]: number };

function pod(name: string, ports: Ports, ready = "True"): KubeObject {
  const listed = Object.entries(ports).map(([port, containerPort]) => ({
    name: port,
    containerPort,
    protocol: "TCP",
  }));
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "n", uid: name },
    spec: { nodeName: "node-1", containers: [{ name: "main", ports: listed }] },
    status: { phase: "Running", podIP: `10.0.0.${name}`, conditions: [{ type: "Ready", status: ready }] },
  };
}

function service(...names: readonly string[]): KubeObject {
  const ports = names.map((name, i) => ({ name, port: i + 1, targetPort: name, protocol: "TCP" }));
  const clusterIP = names.length > 0 ? "10.96.0.1" : "None";
  return { apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: { clusterIP, ports } };
}

/** Subsets as `ready|unready:ports`. The cells are those of TestRepackSubsets in kubernetes, pkg/api/v1/endpoints/util_test.go. */
test.each<[string, KubeObject, readonly KubeObject[], readonly string[]]>([
  [
    "pods with the same ports share a subset",
    service("a", "b"),
    [pod("1", { a: 80, b: 81 }), pod("2", { a: 80, b: 81 })],
    ["1 2|:a=80 b=81"],
  ],
  [
    "a port that only some pods have has a subset of its own",
    service("a", "b"),
    [pod("1", { a: 80, b: 81 }), pod("2", { a: 80 })],
    ["1 2|:a=80", "1|:b=81"],
  ],
  [
    "ports with the same pods share a subset, whatever else these have",
    service("a", "b", "c"),
    [pod("1", { a: 80, b: 81, c: 82 }), pod("2", { a: 80, b: 9, c: 82 })],
    ["1 2|:a=80 c=82", "1|:b=81", "2|:b=9"],
  ],
  [
    "pods that are not ready belong to their ports, too",
    service("a", "b"),
    [pod("1", { a: 80, b: 81 }), pod("2", { a: 80 }, "False")],
    ["1|2:a=80", "1|:b=81"],
  ],
  ["a pod without the ports is left out", service("a"), [pod("1", { a: 80 }), pod("2", {})], ["1|:a=80"]],
  ["a headless service without ports has all pods", service(), [pod("1", {}), pod("2", {})], ["1 2|:"]],
])("%s", (_title, owner, pods, expected) => {
  const found = subsetsOf(owner, pods, sinceOf("1.32")).map((subset) => {
    const names = (field: string) =>
      listAt(subset, field).map((address) => textAt(address, "targetRef", "name"));
    const ports = listAt(subset, "ports").map(({ name, port }) => `${name}=${port}`);
    const [ready, unready] = ["addresses", "notReadyAddresses"].map((field) => names(field).join(" "));
    return `${ready}|${unready}:${ports.toSorted().join(" ")}`;
  });
  expect(found.toSorted()).toEqual(expected.toSorted());
});
