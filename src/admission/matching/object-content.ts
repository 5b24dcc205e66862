import { type Awaitable, whenReady } from "../../apimachinery/awaitable.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { MutatingAttributes } from "../contract/admission.ts";
import type { ObjectInterfaces, ObjectVersion } from "../contract/object-interfaces.ts";

/** Gives the object of a request the content of one in the version that a webhook or a policy saw. */
export function replaceContent(
  { object, gvr, gvk, subresource }: MutatingAttributes,
  content: KubeObject,
  version: ObjectVersion,
  { convert }: ObjectInterfaces,
): Awaitable<void> {
  if (object === undefined) return;
  const isSame = version.gvr.group === gvr.group && version.gvr.version === gvr.version;
  if (isSame) return setContent(object, content);
  return whenReady(convert([content], version, { gvr, gvk, subresource }, "decoded"), ([converted]) => {
    if (converted !== undefined) setContent(object, converted);
  });
}

function setContent(object: MutableKubeObject, content: KubeObject): void {
  for (const member of Object.keys(object)) delete object[member];
  // Later plugins change metadata in place, so it must not be frozen.
  Object.assign(object, content, { metadata: { ...content.metadata } });
}
