import {
  formatGroupVersion,
  type GroupVersionKind,
  parseGroupVersion,
} from "../../src/apimachinery/group-version.ts";
import { isJsonObject, type JsonObject } from "../../src/apimachinery/json.ts";
import type { MutableKubeObject } from "../../src/apimachinery/object-meta.ts";
import { parseRelease } from "../../src/apimachinery/release.ts";
import { catalogOf } from "../../src/catalog/catalog.ts";
import { type FeatureGates, featureGates } from "../../src/catalog/feature-gates.ts";
import type { StructSchema } from "../../src/catalog/type-schema.ts";
import { canonicalizeStored } from "../../src/schema/canonical.ts";
import { decodeInto } from "../../src/schema/typed-decode.ts";
import { defaultingOf } from "./kind-rules.ts";

/** The object `sent` after decoding and defaulting. `kind` has the form `apps/v1/Deployment`; `open` are enabled feature gates. */
export function defaulted(
  kind: string,
  sent: JsonObject,
  release = "1.32",
  open: readonly string[] = [],
): JsonObject {
  const gvk = parseKind(kind);
  const schema = catalogOf({ release }).kind(gvk);
  if (schema === undefined) throw new Error(`release ${release} does not have ${kind}`);
  return canonicalizeStored(schema, decodedAndDefaulted(gvk, schema, sent, release, open));
}

/** The same before it is in canonical form. */
export function decodedAndDefaulted(
  gvk: GroupVersionKind,
  schema: StructSchema,
  sent: JsonObject,
  release: string,
  open: readonly string[] = [],
): JsonObject {
  const apiVersion = formatGroupVersion(gvk);
  const decoded = decodeInto(schema, { ...sent, kind: gvk.kind, apiVersion }).object;
  const metadata = isJsonObject(decoded["metadata"]) ? { ...decoded["metadata"] } : {};
  const object: MutableKubeObject = { ...decoded, kind: gvk.kind, apiVersion, metadata };
  defaultingOf(gvk)?.(object, gatesOf(release, open));
  return object;
}

/** The feature gates of a release, with these enabled. */
export function gatesOf(release: string, open: readonly string[] = []): FeatureGates {
  return featureGates(parseRelease(release), new Map(open.map((gate) => [gate, true])));
}

function parseKind(text: string): GroupVersionKind {
  const slash = text.lastIndexOf("/");
  const gv = parseGroupVersion(text.slice(0, slash));
  if (gv === undefined) throw new Error(`${text} is not a kind`);
  return { ...gv, kind: text.slice(slash + 1) };
}
