import { listAt, numberAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { labelSelectorFromObject } from "../../apimachinery/selectors/label-selector-object.ts";
import type { Rejection } from "./filters/filter.ts";
import { filtersFor } from "./filters/filters.ts";
import { fitErrorMessage } from "./fit-error.ts";
import { rejectionWithNominated } from "./node-choice.ts";
import { type ClusterView, type PlacedPod, viewWithout } from "./snapshot/cluster-view.ts";
import type { NodeInfo } from "./snapshot/node-info.ts";
import type { PodInfo } from "./snapshot/pod-info.ts";

const pods = { group: "", resource: "pods" };
const budgets = { group: "policy", resource: "poddisruptionbudgets" };

/** The pods that must leave a node for a pod with a higher priority. */
export interface Preemption {
  readonly node: string;
  readonly victims: readonly PlacedPod[];
}

interface Candidate extends Preemption {
  /** How many of the victims a PodDisruptionBudget protects. */
  readonly violations: number;
}

/** Why a node cannot get room for a pod. */
type Obstacle = Pick<Rejection, "reasons">;

const notHelpful = "Preemption is not helpful for scheduling";

/** Why preemption makes no room for a pod. */
export interface NoPreemption {
  readonly message: string;
  /** Whether no node can get room, so that none is nominated any longer; a pod that may not preempt keeps its nomination. */
  readonly isHopeless: boolean;
}

/**
 * Looks for the node where the least harm makes room for a pod. Upstream: pkg/scheduler/framework/preemption and
 * plugins/defaultpreemption.
 */
export function preempt(
  pod: PodInfo,
  view: ClusterView,
  rejections: ReadonlyMap<string, Rejection>,
): Preemption | NoPreemption {
  const obstacle = ineligibility(pod, view, rejections);
  if (obstacle !== undefined) return { message: obstacle, isHopeless: false };
  const candidates: Candidate[] = [];
  const reasons: string[] = [];
  for (const node of view.nodes) {
    const rejection = rejections.get(node.name);
    const result =
      rejection?.isResolvable === true ? candidateOn(node, pod, view) : { reasons: [notHelpful] };
    if ("reasons" in result) reasons.push(...result.reasons);
    else candidates.push(result);
  }
  const [best] = candidates.sort(compareCandidates);
  return best ?? { message: fitErrorMessage(view.nodes.length, reasons), isHopeless: true };
}

/** Why a pod may not preempt others; undefined if it may. Upstream: `PodEligibleToPreemptOthers`. */
function ineligibility(
  { pod, spec, priority }: PodInfo,
  view: ClusterView,
  rejections: ReadonlyMap<string, Rejection>,
): string | undefined {
  if (spec["preemptionPolicy"] === "Never") return "not eligible due to preemptionPolicy=Never.";
  const nominated = textAt(pod, "status", "nominatedNodeName");
  // A node that cannot get room any more does not keep the pod from looking for another one.
  if (nominated === "" || rejections.get(nominated)?.isResolvable === false) return undefined;
  const isLeaving = (other: PlacedPod) => other.priority < priority && makesRoom(other, view);
  if (!view.podsOn(nominated).some(isLeaving)) return undefined;
  return "not eligible due to a terminating pod on the nominated node.";
}

/** Whether a pod terminates, since 1.26 only if that is to make room. Upstream: `podTerminatingByPreemption`. */
function makesRoom({ pod }: PlacedPod, { gates }: ClusterView): boolean {
  if (!pod.metadata.deletionTimestamp) return false;
  const condition = listAt(pod, "status", "conditions").find(({ type }) => type === "DisruptionTarget");
  const isPreempted = condition?.["status"] === "True" && condition["reason"] === "PreemptionByScheduler";
  return isPreempted || !gates.since("1.26");
}

/** A pod with its status of now: the scheduler remembers the one that it has placed. */
function withStatus(placed: PlacedPod, { lister }: ClusterView): PlacedPod {
  const { namespace, pod } = placed;
  return { ...placed, pod: lister.get(pods, namespace, pod.metadata.name ?? "") ?? pod };
}

/** The fewest victims on a node, or the reasons why it does not help that all pods of lower priority leave. */
function candidateOn(node: NodeInfo, pod: PodInfo, view: ClusterView): Candidate | Obstacle {
  const lower = view
    .podsOn(node.name)
    .filter(({ priority }) => priority < pod.priority)
    .map((one) => withStatus(one, view));
  if (lower.length === 0) return { reasons: ["No preemption victims found for incoming pod"] };
  const rejection = rejectionWithout(lower, node, pod, view);
  if (rejection !== undefined) return rejection;
  // The most important pods, and those of budgets, may stay if there is room.
  const order = lower.toSorted(moreImportantFirst);
  const isProtected = protection(order, view);
  const victims = new Set<PlacedPod>(lower);
  for (const one of [...order.filter(isProtected), ...order.filter((other) => !isProtected(other))]) {
    victims.delete(one);
    if (rejectionWithout([...victims], node, pod, view) !== undefined) victims.add(one);
  }
  const chosen = order.filter((one) => victims.has(one));
  return { node: node.name, victims: chosen, violations: chosen.filter(isProtected).length };
}

function rejectionWithout(
  victims: readonly PlacedPod[],
  node: NodeInfo,
  pod: PodInfo,
  view: ClusterView,
): Rejection | undefined {
  const emptier = viewWithout(victims, node, view);
  const rest = emptier.node(node.name) ?? node;
  const filter = filtersFor(pod, emptier);
  if (typeof filter !== "function") return filter;
  return rejectionWithNominated(pod, rest, emptier) ?? filter(rest);
}

/** Whether a budget allows no disruption of a pod. The first pods use up what it allows. Upstream: `filterPodsWithPDBViolation`. */
function protection(lower: readonly PlacedPod[], { lister }: ClusterView): (pod: PlacedPod) => boolean {
  const namespaces = new Set(lower.map(({ namespace }) => namespace));
  const found = [...namespaces].flatMap((namespace) => lister.list(budgets, namespace));
  const left = found.map((budget) => ({
    namespace: budget.metadata.namespace,
    selector: labelSelectorFromObject(structAt(budget, "spec")["selector"]),
    disrupted: structAt(budget, "status", "disruptedPods"),
    allowed: numberAt(budget, "status", "disruptionsAllowed"),
  }));
  const guarded = new Set<string>();
  for (const { key, namespace, labels, pod } of lower) {
    if (Object.keys(labels).length === 0) continue;
    for (const budget of left) {
      const { selector, disrupted } = budget;
      if (budget.namespace !== namespace || selector.isEmpty || !selector.matches(labels)) continue;
      if (Object.hasOwn(disrupted, pod.metadata.name ?? "")) continue;
      budget.allowed -= 1;
      if (budget.allowed < 0) guarded.add(key);
    }
  }
  return ({ key }) => guarded.has(key);
}

function moreImportantFirst(a: PlacedPod, b: PlacedPod): number {
  return b.priority - a.priority || compareNumbers(startOf(a), startOf(b));
}

function startOf({ pod }: PlacedPod): number {
  const start = textAt(pod, "status", "startTime");
  return start === "" ? Number.POSITIVE_INFINITY : Date.parse(start);
}

/** The least harm first: violated budgets, the highest priority, the sum of priorities, the number of pods, and how long they run. */
function compareCandidates(a: Candidate, b: Candidate): number {
  const highest = ({ victims }: Candidate) => Math.max(...victims.map(({ priority }) => priority));
  const sum = ({ victims }: Candidate) =>
    victims.reduce((total, { priority }) => total + priority + 2 ** 31, 0);
  const earliest = (one: Candidate) =>
    Math.min(...one.victims.filter(({ priority }) => priority === highest(one)).map(startOf));
  return (
    a.violations - b.violations ||
    highest(a) - highest(b) ||
    sum(a) - sum(b) ||
    a.victims.length - b.victims.length ||
    compareNumbers(earliest(b), earliest(a))
  );
}

/** Infinite numbers have no difference. */
function compareNumbers(a: number, b: number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
