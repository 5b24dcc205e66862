import { listAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

/** Says that Endpoints lack addresses. */
export const overCapacityAnnotation = "endpoints.kubernetes.io/over-capacity";

const mostAddresses = 1000;

/**
 * The subsets with at most 1,000 addresses, ready ones before others; undefined if they have no more. Each subset keeps its share of them.
 * Upstream: `truncateEndpoints` (pkg/controller/endpoint/endpoints_controller.go).
 */
export function limitedSubsets(subsets: readonly JsonObject[]): readonly JsonObject[] | undefined {
  const ready = countOf(subsets, "addresses");
  const unready = countOf(subsets, "notReadyAddresses");
  if (ready + unready <= mostAddresses) return undefined;
  const cut = ready > mostAddresses ? "addresses" : "notReadyAddresses";
  const [most, all] = cut === "addresses" ? [mostAddresses, ready] : [mostAddresses - ready, unready];
  let left = most;
  return subsets.map((subset) => {
    const found = listAt(subset, cut);
    const kept = found.slice(0, Math.min(left, Math.ceil((found.length / all) * most)));
    left -= kept.length;
    const { addresses, notReadyAddresses: _, ...others } = subset;
    const isWhole = cut === "notReadyAddresses" && addresses !== undefined;
    return { ...(isWhole && { addresses }), ...(kept.length > 0 && { [cut]: kept }), ...others };
  });
}

function countOf(subsets: readonly JsonObject[], field: "addresses" | "notReadyAddresses"): number {
  return subsets.reduce((sum, subset) => sum + listAt(subset, field).length, 0);
}
