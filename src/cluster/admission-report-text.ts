import type { JsonObject, JsonValue } from "../apimachinery/json.ts";
import { encodeJson } from "../codec/json/json.ts";
import type { AdmissionStep } from "../request/request-notes.ts";
import type { AdmissionReport } from "./admission-report.ts";

/** What the text of a report needs besides the report. */
interface TextOptions extends Omit<AdmissionReport, "text"> {
  /** The object before the mutating plugins, for the old values of changes. */
  readonly before: JsonObject | undefined;
}

/** A report for people: the verdict, the steps, the changes, the warnings and the annotations of the audit log. */
export function reportText(report: TextOptions): string {
  const { changes, before, warnings, auditAnnotations } = report;
  const annotations = Object.entries(auditAnnotations).map(([name, value]) => `${name}: ${value}`);
  return [
    ...verdictLines(report),
    ...section("Steps:", stepLines(report.steps)),
    ...section(
      "Changes:",
      changes.map((change) => changeLine(change, before)),
    ),
    ...section("Warnings:", warnings),
    ...section("Audit annotations:", annotations),
  ].join("\n");
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function verdictLines({ admitted, request, refusal, deniedBy }: TextOptions): readonly string[] {
  const { operation, group, resource, subresource, namespace, name, user } = request;
  const type = `${resource}${group && `.${group}`}${subresource && `/${subresource}`}`;
  const what = `${operation} ${type} ${namespace && `${namespace}/`}${name || "(generated name)"} as ${user}`;
  if (admitted) return [`${what}: admitted`];
  const by = deniedBy === undefined ? "refused, but not by admission" : `denied by ${sourceOf(deniedBy)}`;
  return [`${what}: ${by}`, `  ${refusal?.code} ${refusal?.reason}: ${refusal?.message}`];
}

/** The plugin, and its webhook or policy: `ValidatingAdmissionPolicy names (binding all)`. */
function sourceOf({ plugin, name, source }: AdmissionStep): string {
  if (name === "") return plugin;
  const what = plugin.endsWith("Policy") ? "binding" : "configuration";
  return source === "" ? `${plugin} ${name}` : `${plugin} ${name} (${what} ${source})`;
}

/** Plugins that did nothing share one line at the end. */
function stepLines(steps: readonly AdmissionStep[]): readonly string[] {
  const isQuiet = ({ name, outcome }: AdmissionStep) => name === "" && outcome === "allowed";
  const quiet = new Set(steps.filter(isQuiet).map(({ plugin }) => plugin));
  for (const step of steps) if (!isQuiet(step)) quiet.delete(step.plugin);
  const lines = steps.filter((step) => !isQuiet(step)).flatMap(linesOf);
  return quiet.size === 0 ? lines : [...lines, `also ran: ${[...quiet].join(", ")}`];
}

function linesOf(step: AdmissionStep): readonly string[] {
  const { phase, outcome, message, cost, expressions, patch = [], round } = step;
  const facts = [`${phase}${round === 1 ? " again" : ""}`, sourceOf(step), outcome];
  const paths = patch.map(({ op, path }) => `${signOf(op)} ${String(path)}`);
  const head = [...facts, ...(cost === 0 ? [] : [`cost ${cost}`]), ...paths].join("  ");
  const isShown = message === "" || expressions.some((expression) => expression.message === message);
  return [
    head,
    ...(isShown ? [] : [`  ${message}`]),
    ...expressions.flatMap(({ expression, outcome: value, message: told, cost: spent }) => [
      `  ${value}  cost ${spent}  ${expression.trim()}`,
      ...(told === "" ? [] : [`    ${told}`]),
    ]),
  ];
}

function signOf(op: JsonValue | undefined): string {
  return signs[String(op)] ?? String(op);
}

const signs: { readonly [op: string]: string } = { add: "+", remove: "-", replace: "~" };

/** An operation of a patch: `~ /spec/replicas  1 -> 3`. */
function changeLine({ op, path, value, from }: JsonObject, before: JsonObject | undefined): string {
  const head = `${signOf(op)} ${String(path)}`;
  const old = op === "add" || before === undefined ? undefined : valueAt(before, String(path));
  if (op === "remove") return old === undefined ? head : `${head}  ${encodeJson(old)}`;
  const after = value === undefined ? String(from ?? "") : encodeJson(value);
  return old === undefined ? `${head}  ${after}` : `${head}  ${encodeJson(old)} -> ${after}`;
}

/** The value at a JSON pointer. */
function valueAt(document: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    // Lists have their indexes as keys.
    value = (value as JsonObject)[key];
  }
  return value;
}
