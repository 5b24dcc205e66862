import { listAt, numberAt, structAt, textsAt } from "../../../apimachinery/fields.ts";
import { nodeSelectorTerm } from "../../placement/node-selector.ts";
import { isTolerated } from "../../placement/tolerations.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
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
  if (view.nodes.every((node) => node.images.length === 0)) return undefined;
  const lists = view.gates.since("1.30") ? ["initContainers", "containers"] : ["containers"];
  const wanted = lists.flatMap((list) => listAt(spec, list).map(({ image }) => withTag(String(image))));
  const holders = imageHolders(new Set(wanted), view.nodes);
  if (holders.size === 0) return undefined;
  const most = largest * wanted.length;
  return nodes.map(({ name }) => {
    let sum = 0;
    for (const image of wanted) {
      const sizes = holders.get(image);
      sum += Math.floor(((sizes?.get(name) ?? 0) * (sizes?.size ?? 0)) / view.nodes.length);
    }
    const counted = Math.min(most, Math.max(smallest, sum));
    return Math.floor((bestScore * (counted - smallest)) / (most - smallest));
  });
};

/** The sizes of images on the nodes that have them, by image and node. */
function imageHolders(
  wanted: ReadonlySet<string>,
  nodes: readonly NodeInfo[],
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const holders = new Map<string, Map<string, number>>();
  for (const { name, node } of nodes) {
    for (const image of listAt(node, "status", "images")) {
      for (const text of textsAt(image, "names")) {
        if (!wanted.has(text)) continue;
        const sizes = holders.get(text) ?? new Map<string, number>();
        holders.set(text, sizes.set(name, numberAt(image, "sizeBytes")));
      }
    }
  }
  return holders;
}

/** Upstream: `normalizedImageName`. */
function withTag(image: string): string {
  return image.lastIndexOf(":") <= image.lastIndexOf("/") ? `${image}:latest` : image;
}
