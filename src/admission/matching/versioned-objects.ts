import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import type { ObjectInterfaces, ObjectVersion } from "../contract/object-interfaces.ts";

/** The objects of a request in one version. Null stands for none, as in reviews and expressions. */
export interface VersionedObjects {
  readonly version: ObjectVersion;
  readonly object: KubeObject | null;
  readonly oldObject: KubeObject | null;
}

/** The objects of a request as a webhook or a policy sees them that selected it in this version. */
export function versionedObjects(
  attributes: AdmissionAttributes,
  version: ObjectVersion,
  { convert }: ObjectInterfaces,
): Promise<VersionedObjects> | VersionedObjects {
  const { object, oldObject, form } = attributes;
  const converted = convert(
    [object, oldObject].filter((one) => one !== undefined),
    attributes,
    version,
    form,
  );
  const named = (objects: readonly KubeObject[]): VersionedObjects => ({
    version,
    object: object === undefined ? null : (objects[0] ?? null),
    oldObject: oldObject === undefined ? null : (objects[object === undefined ? 0 : 1] ?? null),
  });
  return converted instanceof Promise ? converted.then(named) : named(converted);
}
