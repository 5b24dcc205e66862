import { badRequest } from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { jsonEqual } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { templateOf } from "./pod-template.ts";

/** How apps/v1 shows what older versions had as `spec.templateGeneration`. */
const annotation = "deprecated.daemonset.template.generation";

const int64Max = 2n ** 63n - 1n;

/** A new DaemonSet has a first template, unless it says that there were others. */
export function beginTemplateGeneration(daemonSet: MutableKubeObject): void {
  const sent = templateGeneration(daemonSet);
  setTemplateGeneration(daemonSet, sent < 1n ? 1n : sent);
}

/** Clients do not choose it. */
export function keepTemplateGeneration(daemonSet: MutableKubeObject, old: KubeObject): void {
  templateGeneration(daemonSet);
  setTemplateGeneration(daemonSet, templateGeneration(old));
}

/** Another template is one more. */
export function countTemplateGeneration(daemonSet: MutableKubeObject, old: KubeObject): void {
  if (jsonEqual(templateOf(daemonSet), templateOf(old))) return;
  setTemplateGeneration(daemonSet, templateGeneration(old) + 1n);
}

/** @throws {StatusError} badRequest for an annotation that is no number, which upstream cannot convert */
function templateGeneration(daemonSet: KubeObject): bigint {
  const text = daemonSet.metadata.annotations?.[annotation];
  if (text === undefined) return 0n;
  if (!/^[-+]?\d+$/.test(text)) throw unreadable(text, "invalid syntax");
  const number = BigInt(text.replace("+", ""));
  if (number > int64Max || number < -int64Max - 1n) throw unreadable(text, "value out of range");
  return number;
}

function setTemplateGeneration(daemonSet: MutableKubeObject, generation: bigint): void {
  daemonSet.metadata.annotations = { ...daemonSet.metadata.annotations, [annotation]: String(generation) };
}

function unreadable(text: string, problem: string): Error {
  const cause = `strconv.ParseInt: parsing ${goQuote(text)}: ${problem}`;
  return badRequest(`DaemonSet in version "v1" cannot be handled as a DaemonSet: ${cause}`);
}
