import { isConflict } from "../../../apimachinery/errors/error-predicates.ts";
import { structAt, textAt } from "../../../apimachinery/fields.ts";
import { parseGroupVersion } from "../../../apimachinery/group-version.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { ApiResource } from "../../../catalog/api-resource.ts";
import type { RawApi } from "../../contract/raw-api.ts";
import { scalePath } from "../contract/scale-path.ts";

/** How often a scale is written when others write it at the same time. */
const tries = 5;

/** The scale of what an autoscaler scales. */
export interface ScaleTarget {
  readonly scale: JsonObject;
  /** Where the scale is read and written. */
  readonly path: string;
  readonly resource: ApiResource;
  readonly name: string;
}

/**
 * Reads the scale of an autoscaler's target: of the first resource that serves the kind and has one. Upstream:
 * `scaleForResourceMappings` (pkg/controller/podautoscaler/horizontal.go).
 * @throws {Error | StatusError} for an API version or a kind that does not exist, and the first refusal
 */
export async function readScaleTarget(api: RawApi, autoscaler: KubeObject): Promise<ScaleTarget> {
  const reference = structAt(autoscaler, "spec", "scaleTargetRef");
  const [apiVersion, kind] = [textAt(reference, "apiVersion"), textAt(reference, "kind")];
  const gv = parseGroupVersion(apiVersion);
  if (gv === undefined) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  const { group } = gv;
  const resources = api.resourcesOf({ group, kind });
  if (resources.length === 0) {
    throw new Error(`no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`);
  }
  const failures: unknown[] = [];
  for (const resource of resources) {
    const name = textAt(reference, "name");
    const path = scalePath(resource, autoscaler.metadata.namespace ?? "", name);
    try {
      return { scale: await api.get(path, { ...resource, name }), path, resource, name };
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures[0];
}

/** Writes the replicas of a scale, again on the latest one after a conflict. @throws {StatusError} the refusal */
export async function scaleTo(api: RawApi, target: ScaleTarget, replicas: number): Promise<void> {
  const { path, resource, name } = target;
  const requested = { ...resource, name };
  let { scale } = target;
  for (let left = tries; ; left--) {
    try {
      await api.put(path, { ...scale, spec: { ...structAt(scale, "spec"), replicas } }, requested);
      return;
    } catch (error) {
      if (left === 1 || !isConflict(error)) throw error;
      scale = await api.get(path, requested);
    }
  }
}
