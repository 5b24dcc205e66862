import { isConflict } from "../../../apimachinery/errors/error-predicates.ts";
import type { GroupResource } from "../../../apimachinery/group-version.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { WorkloadEnvironment } from "./workload-environment.ts";

/** Writes the status of an object. After a conflict, it writes once more on the latest state. @throws {StatusError} the refusal */
export async function updateStatus(
  { client, lister }: Pick<WorkloadEnvironment, "client" | "lister">,
  resource: GroupResource,
  object: KubeObject,
  status: JsonObject,
): Promise<KubeObject> {
  const { namespace = "", name = "", uid } = object.metadata;
  const write = (latest: KubeObject) =>
    client.update({ ...latest, status }, { namespace, subresource: "status" });
  try {
    return await write(object);
  } catch (error) {
    const latest = lister.get(resource, namespace, name);
    if (!isConflict(error) || latest?.metadata.uid !== uid || latest === undefined) throw error;
    return write(latest);
  }
}
