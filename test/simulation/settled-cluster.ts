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
  readonly controllers: readonly KubeObject[];
  readonly budgets: readonly KubeObject[];
  readonly volumes: readonly KubeObject[];
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
    controllers: await all("v1", "ReplicationController"),
    budgets: await all("policy/v1", "PodDisruptionBudget"),
    volumes: await all("v1", "PersistentVolume"),
  };
  const rules = [
    ...[podProblems, replicaProblems, daemonProblems, setProblems, jobProblems, endpointProblems],
    ...[generationProblems, budgetProblems, volumeProblems, nodeProblems],
  ];
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

function replicaProblems({ pods, replicaSets, deployments, controllers }: Settled): readonly string[] {
  const hasRoom = pods.every((pod) => (pod["spec"] as JsonObject)["nodeName"] !== undefined);
  const podsOf = (owner: KubeObject) => ownedBy(owner, pods).filter((pod) => !hasEnded(pod));
  const ofSets = [...replicaSets, ...controllers].flatMap((set) =>
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
    const ready = pods.filter((pod) => isSelected(pod) && isRunning(pod) && isReady(pod));
    const expected = ready.map((pod) => String(status(pod)["podIP"])).toSorted();
    const ofService = slices.filter(
      ({ metadata }) => metadata.labels?.["kubernetes.io/service-name"] === name,
    );
    const inSlices = ofService.flatMap((slice) => (slice["endpoints"] ?? []) as readonly JsonObject[]);
    const subsets = (endpoints.find(({ metadata }) => metadata.name === name)?.["subsets"] ??
      []) as readonly { readonly addresses?: readonly JsonObject[] }[];
    const found = {
      slices: inSlices
        .filter(({ conditions }) => (conditions as JsonObject)["ready"] === true)
        .flatMap(({ addresses }) => addresses as readonly string[]),
      endpoints: subsets.flatMap(({ addresses = [] }) => addresses.map(({ ip }) => String(ip))),
    };
    return Object.entries(found).flatMap(([what, addresses]) => {
      const [is, wanted] = [addresses.toSorted().join(), expected.join()];
      return is === wanted ? [] : [`${name}: the ${what} have ${is}, not ${wanted}`];
    });
  });
}

function generationProblems(settled: Settled): readonly string[] {
  const { replicaSets, deployments, daemonSets, statefulSets, controllers, budgets } = settled;
  const all = [replicaSets, deployments, daemonSets, statefulSets, controllers, budgets].flat();
  const late = all.filter((one) => status(one)["observedGeneration"] !== one.metadata.generation);
  return late.map((one) => `${one.kind} ${nameOf(one)} is not observed`);
}

function budgetProblems({ pods, budgets }: Settled): readonly string[] {
  return budgets.flatMap((budget) => {
    const { selector } = budget["spec"] as { readonly selector: { readonly matchLabels: JsonObject } };
    const mine = pods.filter(
      (pod) => pod.metadata.labels?.["app"] === selector.matchLabels["app"] && !hasEnded(pod),
    );
    const { currentHealthy, desiredHealthy, disruptionsAllowed, disruptedPods = {} } = status(budget);
    const healthy = mine.filter(isReady).length;
    const allowed = Math.max(0, healthy - Number(desiredHealthy));
    return [
      ...compared(budget, healthy, { currentHealthy }),
      ...(disruptionsAllowed === allowed || disruptionsAllowed === 0
        ? []
        : [`${nameOf(budget)} allows ${disruptionsAllowed} disruptions`]),
      ...Object.keys(disruptedPods as JsonObject).map((pod) => `${nameOf(budget)} awaits ${pod}`),
    ];
  });
}

/** A claim and its volume name each other. */
function volumeProblems({ claims, volumes }: Settled): readonly string[] {
  const claimed = (volume: KubeObject) =>
    (volume["spec"] as { readonly claimRef?: { readonly uid?: string } }).claimRef?.uid;
  const named = (claim: KubeObject) => (claim["spec"] as JsonObject)["volumeName"];
  const ofClaims = claims.flatMap((claim) => {
    if (status(claim)["phase"] !== "Bound") return [];
    const volume = volumes.find((one) => nameOf(one) === named(claim));
    const isMutual = volume !== undefined && claimed(volume) === claim.metadata.uid;
    return isMutual && status(volume)["phase"] === "Bound" ? [] : [`${nameOf(claim)} has no volume`];
  });
  const ofVolumes = volumes.flatMap((volume) => {
    if (status(volume)["phase"] !== "Bound") return [];
    const claim = claims.find(({ metadata }) => metadata.uid === claimed(volume));
    return claim !== undefined && named(claim) === nameOf(volume) ? [] : [`${nameOf(volume)} has no claim`];
  });
  return [...ofClaims, ...ofVolumes];
}

/** No node has more than it has room for. */
function nodeProblems({ nodes, pods }: Settled): readonly string[] {
  return nodes.flatMap((node) => {
    const on = pods.filter(
      (pod) => (pod["spec"] as JsonObject)["nodeName"] === nameOf(node) && !hasEnded(pod),
    );
    const requested = on.reduce((sum, pod) => sum + requestOf(pod), 0);
    const { cpu, pods: room } = status(node)["allocatable"] as JsonObject;
    return requested > Number(cpu) || on.length > Number(room) ? [`${nameOf(node)} is overfull`] : [];
  });
}

/** The CPU that its containers request; here, they request whole cores. */
function requestOf(pod: KubeObject): number {
  const { containers } = pod["spec"] as {
    readonly containers: readonly {
      readonly resources?: { readonly requests?: { readonly cpu?: string } };
    }[];
  };
  return containers.reduce((sum, { resources }) => sum + Number(resources?.requests?.cpu ?? 0), 0);
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
