import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { goTrimRight } from "../../../apimachinery/go-trim.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { Release } from "../../../apimachinery/release.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { claimSpecWarnings } from "./claim-spec-warnings.ts";

/** The deprecated kinds of volumes in upstream's order, with the release that introduced the warning. */
const deprecatedKinds: readonly (readonly [field: string, fate: string, first: Release])[] = [
  ["photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+", "1.16"],
  ["gitRepo", "deprecated in v1.11", "1.16"],
  ["scaleIO", "deprecated in v1.16, non-functional in v1.22+", "1.16"],
  ["flocker", "deprecated in v1.22, non-functional in v1.25+", "1.22"],
  ["storageos", "deprecated in v1.22, non-functional in v1.25+", "1.22"],
  ["quobyte", "deprecated in v1.22, non-functional in v1.25+", "1.22"],
  ["glusterfs", "deprecated in v1.25, non-functional in v1.26+", "1.25"],
  ["ephemeral", "", "1.16"],
  ["cephfs", "deprecated in v1.28, non-functional in v1.31+", "1.28"],
  ["rbd", "deprecated in v1.28, non-functional in v1.31+", "1.28"],
];

/** Warns about kinds of volumes that are deprecated or without effect, and about fractional sizes of claims. */
export function volumeKindWarnings(
  volumes: readonly JsonObject[],
  path: string,
  { since }: FeatureGates,
): readonly string[] {
  const warnings: string[] = [];
  volumes.forEach((volume, i) => {
    for (const [field, fate, first] of deprecatedKinds) {
      const source = objectAt(volume, field);
      if (source === undefined || !since(first)) continue;
      // Upstream has another name in this one path.
      const at = child(index(path, i), field === "storageos" ? "storageOS" : field);
      if (field !== "ephemeral") warnings.push(`${at}: ${fate}`);
      else warnings.push(...claimWarnings(source, at));
    }
  });
  return warnings;
}

function claimWarnings(source: JsonObject, path: string): readonly string[] {
  const spec = objectAt(source, "volumeClaimTemplate", "spec");
  return spec === undefined ? [] : claimSpecWarnings(spec, child(path, "volumeClaimTemplate", "spec"));
}

/** A file of a volume, and its source if the volume has several. */
interface VolumeFile {
  readonly path: string;
  readonly source: string;
}

/** Warns about files of one volume that overwrite each other, or of which one is a directory of the other. */
export function overlapWarnings(volumes: readonly JsonObject[]): readonly string[] {
  return volumes.flatMap((volume) => {
    const name = goQuote(textAt(volume, "name"));
    return [
      ...keyOverlaps(name, "ConfigMap", objectAt(volume, "configMap"), "name"),
      ...keyOverlaps(name, "Secret", objectAt(volume, "secret"), "secretName"),
      ...overlaps(`${name} (DownwardAPI)`, filesOf(objectAt(volume, "downwardAPI"), "")),
      ...projectedOverlaps(name, objectAt(volume, "projected")),
    ];
  });
}

function keyOverlaps(
  volume: string,
  kind: string,
  source: JsonObject | undefined,
  name: string,
): readonly string[] {
  if (source === undefined) return [];
  return overlaps(`${volume} (${kind} ${goQuote(textAt(source, name))})`, filesOf(source, ""));
}

function projectedOverlaps(volume: string, projected: JsonObject | undefined): readonly string[] {
  if (projected === undefined) return [];
  const sources = listAt(projected, "sources");
  const empty = sources.filter((source) => Object.keys(source).length === 0);
  return [
    ...empty.map(() => `volume ${volume} (Projected) has no sources provided`),
    ...overlaps(`${volume} (Projected)`, sources.flatMap(projectedFiles)),
  ];
}

function projectedFiles(source: JsonObject): readonly VolumeFile[] {
  const configMap = objectAt(source, "configMap");
  const secret = objectAt(source, "secret");
  const token = objectAt(source, "serviceAccountToken");
  if (configMap?.["items"]) return filesOf(configMap, `ConfigMap ${goQuote(textAt(configMap, "name"))}`);
  if (secret?.["items"]) return filesOf(secret, `Secret ${goQuote(textAt(secret, "name"))}`);
  const fields = filesOf(objectAt(source, "downwardAPI"), "DownwardAPI");
  if (fields.length > 0 || token === undefined) return fields;
  return [{ path: textAt(token, "path"), source: "ServiceAccountToken" }];
}

function filesOf(source: JsonObject | undefined, from: string): readonly VolumeFile[] {
  if (source === undefined) return [];
  return listAt(source, "items").map((item) => ({ path: textAt(item, "path"), source: from }));
}

/** Upstream compares each pair of files, which is quadratic work. Here, only the first files of a volume are compared. */
const mostCompared = 100;

function overlaps(volume: string, files: readonly VolumeFile[]): readonly string[] {
  const warnings: string[] = [];
  const seen: VolumeFile[] = [];
  for (const file of files.slice(0, mostCompared)) {
    const trimmed = { ...file, path: goTrimRight(file.path, "/") };
    for (const other of seen) {
      if (!overlap(trimmed.path, other.path)) continue;
      warnings.push(`volume ${volume}: overlapping paths: ${shown(trimmed)} with ${shown(other)}`);
    }
    seen.push(trimmed);
  }
  return warnings;
}

function overlap(a: string, b: string): boolean {
  if (a === "" || b === "") return false;
  return isWithin(a, b) || isWithin(b, a);
}

function isWithin(path: string, directory: string): boolean {
  return path.startsWith(directory) && (path.length === directory.length || path[directory.length] === "/");
}

function shown({ path, source }: VolumeFile): string {
  return source === "" ? goQuote(path) : `${goQuote(path)} (${source})`;
}
