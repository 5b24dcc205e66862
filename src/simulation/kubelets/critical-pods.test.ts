import { expect, test } from "vitest";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { isCriticalPod, podsToPreempt } from "./critical-pods.ts";

const clusterCritical = 2_000_000_000;
const nodeCritical = 2_000_001_000;

function pod(name: string, qosClass: string, amount: number, more: object = {}): KubeObject {
  const requests = amount === 0 ? {} : { cpu: `${amount}m`, memory: `${amount}Mi` };
  const containers = [{ name, resources: { requests } }];
  const metadata = { name, namespace: "default" };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { containers, ...more }, status: { qosClass } };
}

const bestEffort = pod("best-effort", "BestEffort", 0);
const burstable = pod("burstable", "Burstable", 100);
const bigBurstable = pod("big-burstable", "Burstable", 300);
const guaranteed = pod("guaranteed", "Guaranteed", 100);
const bigGuaranteed = pod("big-guaranteed", "Guaranteed", 300);
const ofCluster = pod("cluster-critical", "Burstable", 100, { priority: clusterCritical });
const ofNode = pod("node-critical", "Burstable", 100, { priority: nodeCritical });

/** What the node lacks: thousandths of cores, mebibytes, and pods. */
function shortages(cpu: number, memory: number, pods: number) {
  return [
    { resource: "cpu", amount: cpu },
    { resource: "memory", amount: memory * 1024 ** 2 },
    { resource: "pods", amount: pods },
  ].filter(({ amount }) => amount > 0);
}

const all = [bestEffort, burstable, bigBurstable, guaranteed, bigGuaranteed];

/** Upstream: the cases of `TestGetPodsToPreempt` in pkg/kubelet/preemption/preemption_test.go. */
test.each<
  [
    title: string,
    preemptor: KubeObject,
    others: readonly KubeObject[],
    lacking: [cpu: number, memory: number, pods: number],
    expected: readonly KubeObject[] | string,
  ]
>([
  ["no pod if nothing lacks", ofCluster, [], [0, 0, 0], []],
  ["of no pods, none", ofCluster, [], [0, 0, 1], "(res: pods, q: 1), "],
  ["a pod of the same size", ofCluster, [burstable], [100, 100, 1], [burstable]],
  [
    "no pod that is too small",
    ofCluster,
    [burstable],
    [200, 0, 2],
    "(res: cpu, q: 100), (res: pods, q: 1), ",
  ],
  ["best effort rather than burstable", ofCluster, [burstable, bestEffort], [0, 0, 1], [bestEffort]],
  ["burstable rather than guaranteed", ofCluster, [burstable, guaranteed], [0, 0, 1], [burstable]],
  [
    "the smaller pod if it is enough",
    ofCluster,
    [bestEffort, bigBurstable, burstable],
    [100, 100, 0],
    [burstable],
  ],
  [
    "the bigger pod if the smaller one is not enough",
    ofCluster,
    [bestEffort, burstable, bigBurstable],
    [150, 150, 0],
    [bigBurstable],
  ],
  ["several pods", ofCluster, all, [350, 350, 0], [bigBurstable, burstable]],
  [
    "a guaranteed pod if it has to be, and no burstable one more",
    ofCluster,
    all,
    [0, 550, 0],
    [bigBurstable, bigGuaranteed],
  ],
  ["a less critical pod", ofNode, [ofCluster], [100, 0, 0], [ofCluster]],
  ["no more critical pod", ofCluster, [ofNode], [100, 0, 0], "(res: cpu, q: 100), "],
  ["no equally critical pod", ofCluster, [ofCluster], [0, 0, 1], "(res: pods, q: 1), "],
])("a critical pod takes the place of %s", (_title, preemptor, others, lacking, expected) => {
  const message = (left: string) => `no set of running pods found to reclaim resources: [${left}]`;
  expect(podsToPreempt(preemptor, others, shortages(...lacking))).toEqual(
    typeof expected === "string" ? message(expected) : expected,
  );
});

test.each([
  ["of a high priority", { priority: clusterCritical }, {}, true],
  ["of a lower priority", { priority: clusterCritical - 1 }, {}, false],
  ["from a file", {}, { "kubernetes.io/config.source": "file" }, true],
  ["from the API", {}, { "kubernetes.io/config.source": "api" }, false],
  ["that mirrors one from a file", {}, { "kubernetes.io/config.mirror": "1" }, true],
] as const)("a pod %s is critical or not", (_title, spec, annotations, expected) => {
  const one = pod("web", "BestEffort", 0, spec);
  expect(isCriticalPod({ ...one, metadata: { ...one.metadata, annotations } })).toBe(expected);
});
