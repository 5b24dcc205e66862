import { listAt, numberAt, structAt, textsAt } from "../../../apimachinery/fields.ts";
import { nodeSelectorTerm } from "../../placement/node-selector.ts";
import { isTolerated } from "../../placement/tolerations.ts";
import { bestScore, type ScorePlugin, scaledToBest, scaledToWorst } from "./score.ts";

const mebibyte = 1024 * 1024;
/** Images of less do not count, and more than this for each container does not count more (plugins/imagelocality). */
const smallest = 23 * mebibyte;
const largest = 1000 * mebibyte;

/** Avoids nodes with taints of the effect PreferNoSchedule (plugins/tainttoleration). */
export const preferredTaints: ScorePlugin = ({ spec }, nodes) => {
  if (nodes.every(({ taints }) => taints.length === 0)) return undefined;
  const tolerations = listAt(spec, "tolerations").filter(
    ({ effect }) => effect === undefined || effect === "" || effect === "PreferNoSchedule",
  );
  const isSoft = ({ effect }: { readonly [field: string]: unknown }) => effect === "PreferNoSchedule";
  const counts = nodes.map(
    ({ taints }) => taints.filter((taint) => isSoft(taint) && !isTolerated(taint, tolerations)).length,
  );
  return scaledToWorst(counts);
};

/** Prefers nodes by the weights of preferred node affinity (plugins/nodeaffinity). */
export const preferredNodes: ScorePlugin = ({ spec }, nodes) => {
  const preferred = listAt(
    spec,
    "affinity",
    "nodeAffinity",
    "preferredDuringSchedulingIgnoredDuringExecution",
  );
  if (preferred.length === 0) return undefined;
  const terms = preferred.map((term) => ({
    weight: numberAt(term, "weight"),
    matches: nodeSelectorTerm(structAt(term, "preference")),
  }));
  return scaledToBest(
    nodes.map((node) => terms.reduce((sum, { weight, matches }) => sum + (matches(node) ? weight : 0), 0)),
  );
};

/** Prefers nodes that have large images of the pod already, more so if many nodes do (plugins/imagelocality). */
export const imageLocality: ScorePlugin = ({ spec }, nodes, view) => {
  if (nodes.every((node) => node.images.length === 0)) return undefined;
  const images = listAt(spec, "containers").map(({ image }) => image);
  const sizes = nodes.map((node) =>
    node.images.flatMap((image) =>
      textsAt(image, "names").some((name) => images.includes(name))
        ? [{ name: textsAt(image, "names")[0] ?? "", size: numberAt(image, "sizeBytes") }]
        : [],
    ),
  );
  if (sizes.every((found) => found.length === 0)) return undefined;
  const holders = new Map<string, number>();
  for (const { name } of sizes.flat()) holders.set(name, (holders.get(name) ?? 0) + 1);
  const most = largest * images.length;
  return sizes.map((found) => {
    const sum = found.reduce(
      (total, { name, size }) => total + (size * (holders.get(name) ?? 0)) / view.nodes.length,
      0,
    );
    const counted = Math.min(most, Math.max(smallest, sum));
    return Math.floor((bestScore * (counted - smallest)) / (most - smallest));
  });
};
