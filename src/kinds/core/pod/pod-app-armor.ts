import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import { withField } from "../../../apimachinery/object-edits.ts";
import type { MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { appArmorPrefix } from "../../pod-spec/edits/app-armor-annotations.ts";
import { editedContainers } from "../../pod-spec/edits/pod-edits.ts";
import { useAppArmorField } from "../../pod-spec/warnings/pod-warnings.ts";

const localhost = "localhost/";
const words: ReadonlyMap<string, string> = new Map([
  ["unconfined", "Unconfined"],
  ["runtime/default", "RuntimeDefault"],
]);

/**
 * Copies the AppArmor profiles of a new pod between the annotation and the newer field. A profile in the annotation
 * alone causes a warning. Upstream: pkg/registry/core/pod/strategy.go, applyAppArmorVersionSkew.
 */
export function syncAppArmorProfiles(pod: MutableKubeObject, warn: (text: string) => void): void {
  const spec = objectAt(pod, "spec");
  if (spec === undefined || textAt(spec, "os", "name") === "windows") return;
  const ofPod = objectAt(spec, "securityContext", "appArmorProfile");
  pod["spec"] = editedContainers(spec, (container) => {
    const name = appArmorPrefix + textAt(container, "name");
    const annotation = pod.metadata.annotations?.[name];
    const profile = objectAt(container, "securityContext", "appArmorProfile");
    if (annotation === undefined) {
      annotate(pod, name, annotationOf(profile ?? ofPod));
      return container;
    }
    if (profile !== undefined) return container;
    const field = profileOf(annotation);
    if (field !== undefined && jsonEqual(field, ofPod)) return container;
    warn(`metadata.annotations[${name}]: ${useAppArmorField}`);
    return field === undefined ? container : withProfile(container, field);
  });
}

function annotate(pod: MutableKubeObject, name: string, value: string): void {
  if (value !== "") pod.metadata.annotations = { ...pod.metadata.annotations, [name]: value };
}

function withProfile(container: JsonObject, appArmorProfile: JsonObject): JsonObject {
  const context = objectAt(container, "securityContext") ?? {};
  return withField(container, "securityContext", { ...context, appArmorProfile });
}

/** The annotation value of a profile; empty if there is none. */
function annotationOf(profile: JsonObject | undefined): string {
  if (profile === undefined) return "";
  if (profile["type"] !== "Localhost") {
    return [...words].find(([, type]) => type === profile["type"])?.[0] ?? "";
  }
  const name = profile["localhostProfile"];
  return typeof name === "string" ? localhost + name : "";
}

/** The profile of an annotation value; undefined if it is not valid. */
function profileOf(annotation: string): JsonObject | undefined {
  const type = words.get(annotation);
  if (type !== undefined) return { type };
  const name = annotation.startsWith(localhost) ? annotation.slice(localhost.length) : "";
  if (name === "" || name.trim() !== name || name.length > 4095) return undefined;
  return { type: "Localhost", localhostProfile: name };
}
