import type { Cluster, JsonObject, KubeObject } from "../../src/index.ts";

/** The objects that the rules are about. */
interface Settled {
  readonly pods: readonly KubeObject[];
  readonly replicaSets: readonly KubeObject[];
  readonly deployments: readonly KubeObject[];
  readonly daemonSets: readonly KubeObject[];
  readonly statefulSets: readonly KubeObject[];
  readonly jobs: readonly KubeObject[];
  readonly claims: readonly KubeObject[];
  readonly nodes: readonly KubeObject[];
  readonly services: readonly KubeObject[];
  readonly slices: readonly KubeObject[];
  readonly endpoints: readonly KubeObject[];
}

/** What is wrong in a cluster in which nothing happens any more. */
export async function problemsOf(cluster: Cluster): Promise<readonly string[]> {
  const all = async (apiVersion: string, kind: string) =>
    (await cluster.list<KubeObject>(apiVersion, kind)).items;
  const settled: Settled = {
    pods: await all("v1", "Pod"),
    replicaSets: await all("apps/v1", "ReplicaSet"),
    deployments: await all("apps/v1", "Deployment"),
    daemonSets: await all("apps/v1", "DaemonSet"),
    statefulSets: await all("apps/v1", "StatefulSet"),
    jobs: await all("batch/v1", "Job"),
    claims: await all("v1", "PersistentVolumeClaim"),
    nodes: await all("v1", "Node"),
    services: await all("v1", "Service"),
    slices: await all("discovery.k8s.io/v1", "EndpointSlice"),
    endpoints: await all("v1", "Endpoints"),
  };
  const rules = [podProblems, replicaProblems, daemonProblems, setProblems, jobProblems, endpointProblems];
  return rules.flatMap((find) => find(settled));
}

function podProblems({ pods, nodes, ...others }: Settled): readonly string[] {
  const names = new Set(nodes.map(({ metadata }) => metadata.name));
  const owners = new Set(Object.values(others).flatMap((all) => all.map(({ metadata }) => metadata.uid)));
  const addresses = pods.filter(isRunning).map((pod) => status(pod)["podIP"]);
  const problems = pods.flatMap((pod) => {
    const { name, deletionTimestamp, ownerReferences = [] } = pod.metadata;
    const { nodeName } = pod["spec"] as JsonObject;
    const isExplained = conditionOf(pod, "PodScheduled")?.["status"] === "False";
    return [
      ...(deletionTimestamp ? [`${name} still terminates`] : []),
      ...(nodeName === undefined && !isExplained ? [`nothing says why ${name} has no node`] : []),
      ...(nodeName !== undefined && !names.has(String(nodeName)) ? [`${name} is on no node`] : []),
      ...(nodeName !== undefined && status(pod)["phase"] === "Pending" ? [`${name} does not start`] : []),
      ...(ownerReferences.every(({ uid }) => owners.has(uid)) ? [] : [`${name} has lost its owner`]),
    ];
  });
  const areDistinct = new Set(addresses).size === addresses.length;
  return areDistinct ? problems : [...problems, "two pods have one address"];
}

function replicaProblems({ pods, replicaSets, deployments }: Settled): readonly string[] {
  const hasRoom = pods.every((pod) => (pod["spec"] as JsonObject)["nodeName"] !== undefined);
  const podsOf = (owner: KubeObject) => ownedBy(owner, pods).filter((pod) => !hasEnded(pod));
  const ofSets = replicaSets.flatMap((set) =>
    compared(set, podsOf(set).length, { wanted: replicasOf(set), replicas: status(set)["replicas"] ?? 0 }),
  );
  const ofDeployments = deployments.flatMap((deployment) => {
    const found = ownedBy(deployment, replicaSets).flatMap(podsOf);
    const { replicas = 0, readyReplicas = 0, updatedReplicas = 0 } = status(deployment);
    const ready = found.filter(isReady).length;
    return [
      ...compared(deployment, found.length, { replicas }),
      ...compared(deployment, ready, { readyReplicas }),
      ...(hasRoom
        ? compared(deployment, replicasOf(deployment), { pods: found.length, updatedReplicas })
        : []),
    ];
  });
  return [...ofSets, ...ofDeployments];
}

function daemonProblems({ pods, nodes, daemonSets }: Settled): readonly string[] {
  return daemonSets.flatMap((set) => {
    const on = ownedBy(set, pods).map((pod) => (pod["spec"] as JsonObject)["nodeName"]);
    const { desiredNumberScheduled = 0, numberReady = 0 } = status(set);
    return [
      ...compared(set, nodes.length, { desiredNumberScheduled, numberReady }),
      ...compared(set, new Set(on).size, { pods: on.length }),
    ];
  });
}

function setProblems({ pods, statefulSets, claims }: Settled): readonly string[] {
  const bound = new Set(claims.filter((claim) => status(claim)["phase"] === "Bound").map(nameOf));
  return statefulSets.flatMap((set) => {
    const mine = ownedBy(set, pods);
    const missing = mine.map((pod) => `data-${nameOf(pod)}`).filter((claim) => !bound.has(claim));
    const { replicas = 0, readyReplicas = 0, updateRevision } = status(set);
    if (!mine.every(isReady)) return compared(set, mine.filter(isReady).length, { readyReplicas });
    const blockers = pods.filter((pod) => !mine.includes(pod) && nameOf(pod).startsWith(`${nameOf(set)}-`));
    const isUpdated = (pod: KubeObject) =>
      pod.metadata.labels?.["controller-revision-hash"] === updateRevision;
    const updated = mine.filter(isUpdated).length;
    return [
      // A released pod keeps its name, which the set needs before it goes on.
      ...(blockers.length === 0 ? compared(set, replicasOf(set), { pods: mine.length, updated }) : []),
      ...compared(set, mine.length, { replicas, readyReplicas }),
      ...missing.map((claim) => `${claim} is not bound`),
    ];
  });
}

function jobProblems({ pods, jobs }: Settled): readonly string[] {
  return jobs.flatMap((job) => {
    const mine = ownedBy(job, pods);
    const running = mine.filter((pod) => !hasEnded(pod));
    const waits = running.some((pod) => (pod["spec"] as JsonObject)["nodeName"] === undefined);
    const isFinished = ["Complete", "Failed"].some((type) => conditionOf(job, type)?.["status"] === "True");
    const tracked = mine.filter((pod) => hasEnded(pod) && pod.metadata.finalizers !== undefined);
    return [
      ...compared(job, running.length, { active: status(job)["active"] ?? 0 }),
      ...(isFinished || waits ? [] : [`${nameOf(job)} has not finished`]),
      ...(isFinished ? compared(job, 0, { running: running.length }) : []),
      ...tracked.map((pod) => `${nameOf(pod)} keeps its finalizer`),
    ];
  });
}

function endpointProblems({ pods, services, slices, endpoints }: Settled): readonly string[] {
  return services.flatMap((service) => {
    const { name } = service.metadata;
    const { selector } = service["spec"] as { readonly selector?: JsonObject };
    if (selector === undefined) return [];
    const isSelected = ({ metadata: { labels = {} } }: KubeObject) =>
      Object.entries(selector).every(([key, value]) => labels[key] === value);
    const ready = pods.filter((pod) => isSelected(pod) && isRunning(pod) && isReady(pod)).length;
    const ofService = slices.filter(
      ({ metadata }) => metadata.labels?.["kubernetes.io/service-name"] === name,
    );
    const inSlices = ofService.flatMap((slice) => (slice["endpoints"] ?? []) as readonly JsonObject[]);
    const subsets = (endpoints.find(({ metadata }) => metadata.name === name)?.["subsets"] ??
      []) as readonly { readonly addresses?: readonly unknown[] }[];
    return compared(service, ready, {
      slices: inSlices.filter(({ conditions }) => (conditions as JsonObject)["ready"] === true).length,
      endpoints: subsets.flatMap(({ addresses = [] }) => addresses).length,
    });
  });
}

function compared(
  object: KubeObject,
  expected: number,
  found: { readonly [what: string]: unknown },
): readonly string[] {
  const wrong = Object.entries(found).filter(([, count]) => count !== expected);
  return wrong.map(([what, count]) => `${object.metadata.name}: ${count} ${what}, not ${expected}`);
}

function ownedBy({ metadata: { uid } }: KubeObject, objects: readonly KubeObject[]): readonly KubeObject[] {
  const isOwned = ({ metadata }: KubeObject) => metadata.ownerReferences?.some((owner) => owner.uid === uid);
  return objects.filter(isOwned);
}

const nameOf = ({ metadata: { name = "" } }: KubeObject) => name;
const status = (object: KubeObject) => (object["status"] ?? {}) as JsonObject;
const replicasOf = (object: KubeObject) => (object["spec"] as { readonly replicas: number }).replicas;
const isRunning = (pod: KubeObject) => status(pod)["phase"] === "Running";
const hasEnded = (pod: KubeObject) => ["Succeeded", "Failed"].includes(String(status(pod)["phase"]));
const isReady = (pod: KubeObject) => conditionOf(pod, "Ready")?.["status"] === "True";

function conditionOf(pod: KubeObject, type: string): JsonObject | undefined {
  return ((status(pod)["conditions"] ?? []) as readonly JsonObject[]).find((one) => one["type"] === type);
}
