import type { Lister } from "../../apimachinery/lister.ts";
import { affinityTerm } from "./filters/affinity-term.ts";
import { spreadConstraints } from "./filters/topology-spread.ts";
import type { SchedulingQueue } from "./scheduling-queue.ts";
import { type PodInfo, podInfo, requiredTerms } from "./snapshot/pod-info.ts";

/** Tries the pods again that may fit now that another one is placed. Returns whether there are any. */
export function activateForPlaced(placed: PodInfo, queue: SchedulingQueue, lister: Lister): boolean {
  return queue.activate("podAdded", (waiting) => isNearby(podInfo(waiting), placed, lister));
}

/** Whether the affinity or a constraint of a pod is about another one. Upstream: `isSchedulableAfterPodChange` of the two plugins. */
function isNearby(waiting: PodInfo, placed: PodInfo, lister: Lister): boolean {
  const terms = requiredTerms(waiting, "podAffinity").map((term) => affinityTerm(term, waiting, lister));
  if (terms.length > 0 && terms.every((term) => term.matches(placed))) return true;
  return (
    waiting.namespace === placed.namespace &&
    spreadConstraints(waiting, "DoNotSchedule").some(({ selector }) => selector.matches(placed.labels))
  );
}
