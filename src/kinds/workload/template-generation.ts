import { jsonEqual } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { annotatedInteger } from "./annotated-integer.ts";
import { templateOf } from "./pod-template.ts";

/** The annotation of apps/v1 for the field `spec.templateGeneration` of older versions. */
const annotation = "deprecated.daemonset.template.generation";

/** Sets the template generation of a new DaemonSet to 1, unless the client sent a higher one. */
export function initializeTemplateGeneration(daemonSet: MutableKubeObject): void {
  const sent = templateGeneration(daemonSet);
  setTemplateGeneration(daemonSet, sent < 1n ? 1n : sent);
}

/** Undoes changes that a client makes to the template generation. */
export function keepTemplateGeneration(daemonSet: MutableKubeObject, old: KubeObject): void {
  templateGeneration(daemonSet);
  setTemplateGeneration(daemonSet, templateGeneration(old));
}

/** Increments the template generation if the template has changed. */
export function incrementTemplateGeneration(daemonSet: MutableKubeObject, old: KubeObject): void {
  if (jsonEqual(templateOf(daemonSet), templateOf(old))) return;
  setTemplateGeneration(daemonSet, templateGeneration(old) + 1n);
}

function templateGeneration(daemonSet: KubeObject): bigint {
  const text = daemonSet.metadata.annotations?.[annotation];
  return text === undefined ? 0n : annotatedInteger("DaemonSet", text);
}

function setTemplateGeneration(daemonSet: MutableKubeObject, generation: bigint): void {
  daemonSet.metadata.annotations = { ...daemonSet.metadata.annotations, [annotation]: String(generation) };
}
