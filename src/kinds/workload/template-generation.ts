import { badRequest } from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { jsonEqual } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { templateOf } from "./pod-template.ts";

/** The annotation of apps/v1 for the field `spec.templateGeneration` of older versions. */
const annotation = "deprecated.daemonset.template.generation";

const int64Max = 2n ** 63n - 1n;

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

/** @throws {StatusError} badRequest for an annotation that is not a number: upstream fails to convert it */
function templateGeneration(daemonSet: KubeObject): bigint {
  const text = daemonSet.metadata.annotations?.[annotation];
  if (text === undefined) return 0n;
  if (!/^[-+]?\d+$/.test(text)) throw conversionError(text, "invalid syntax");
  const number = BigInt(text.replace("+", ""));
  if (number > int64Max || number < -int64Max - 1n) throw conversionError(text, "value out of range");
  return number;
}

function setTemplateGeneration(daemonSet: MutableKubeObject, generation: bigint): void {
  daemonSet.metadata.annotations = { ...daemonSet.metadata.annotations, [annotation]: String(generation) };
}

function conversionError(text: string, problem: string): Error {
  const cause = `strconv.ParseInt: parsing ${goQuote(text)}: ${problem}`;
  return badRequest(`DaemonSet in version "v1" cannot be handled as a DaemonSet: ${cause}`);
}
