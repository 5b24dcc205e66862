import { booleanAt, stringsAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { LabelSelector } from "../../../apimachinery/selectors/label-selector.ts";
import { labelSelectorFromObject } from "../../../apimachinery/selectors/label-selector-object.ts";

/** The label of the endpoints of services without a cluster IP. */
export const headlessLabel = "service.kubernetes.io/headless";

/** Whether the controllers keep the endpoints of a service. */
export function isSelecting(service: KubeObject): boolean {
  const hasSelector = Object.keys(stringsAt(service, "spec", "selector")).length > 0;
  return hasSelector && textAt(service, "spec", "type") !== "ExternalName";
}

/** The selector of a service; one without a selector selects nothing. */
export function selectorOf(service: KubeObject): LabelSelector {
  const matchLabels = stringsAt(service, "spec", "selector");
  return labelSelectorFromObject(isSelecting(service) ? { matchLabels } : undefined);
}

/** Whether a service has no cluster IP. Upstream: `IsServiceIPSet`. */
export function isHeadless(service: KubeObject): boolean {
  const ip = textAt(service, "spec", "clusterIP");
  return ip === "" || ip === "None";
}

export function publishesUnready(service: KubeObject): boolean {
  return booleanAt(service, "spec", "publishNotReadyAddresses");
}

/** The IP families of a service, the main one first. */
export function familiesOf(service: KubeObject): readonly string[] {
  const families = textsAt(service, "spec", "ipFamilies");
  if (families.length > 0) return families;
  return [familyOf(textAt(service, "spec", "clusterIP"))];
}

export function familyOf(ip: string): "IPv4" | "IPv6" {
  return ip.includes(":") ? "IPv6" : "IPv4";
}
