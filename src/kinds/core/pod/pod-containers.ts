import { badRequest } from "../../../apimachinery/errors/errors.ts";
import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";

/**
 * The container that a request to a pod names, or the only container.
 * @throws {StatusError} badRequest
 */
export function chosenContainer(pod: KubeObject, requested: string): string {
  const { name = "" } = pod.metadata;
  const containers = namesAt(pod, "containers");
  const all = [...namesAt(pod, "initContainers"), ...containers, ...namesAt(pod, "ephemeralContainers")];
  if (requested !== "") {
    if (all.includes(requested)) return requested;
    throw badRequest(`container ${requested} is not valid for pod ${name}`);
  }
  const [first, ...others] = containers;
  if (first !== undefined && others.length === 0) return first;
  const problem = `a container name must be specified for pod ${name}`;
  throw badRequest(first === undefined ? problem : `${problem}, choose one of: [${all.join(" ")}]`);
}

function namesAt(pod: KubeObject, field: string): readonly string[] {
  return listAt(pod, "spec", field).map((container) => textAt(container, "name"));
}
