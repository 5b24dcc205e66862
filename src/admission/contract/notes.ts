import type { AdmissionStep, EvaluatedExpression, RequestNotes } from "../../request/request-notes.ts";
import type { AdmissionAttributes, MutatingAttributes } from "./admission.ts";

/** Adds an annotation to the audit log. The first value of a name stays. Upstream: apiserver, pkg/audit/context.go. */
export function annotate({ notes }: AdmissionAttributes, name: string, value: string): void {
  if (notes === undefined || notes.annotations?.[name] !== undefined) return;
  notes.annotations = { ...notes.annotations, [name]: value };
}

type Optional = "expressions" | "patch" | "round";

/** A step without what few steps have. */
type RecordedStep = Omit<AdmissionStep, Optional> & Partial<Omit<Pick<AdmissionStep, Optional>, "round">>;

/** Adds a step to the trace of the request. */
export function record(attributes: AdmissionAttributes, step: RecordedStep): void {
  const { notes } = attributes;
  if (notes === undefined) return;
  const { plugin, phase, name, source, outcome, message, cost, expressions = [], patch } = step;
  const round = phase === "admit" && isReinvoked(attributes) ? 1 : 0;
  // Only this function writes the list.
  const steps = (notes.admission ?? []) as AdmissionStep[];
  notes.admission = steps;
  steps.push({ plugin, phase, name, source, outcome, message, cost, expressions, patch, round });
}

function isReinvoked(attributes: AdmissionAttributes | MutatingAttributes): boolean {
  return "reinvocation" in attributes && attributes.reinvocation?.isReinvoke === true;
}

/** The match condition that excludes a request, for its step. */
export function exclusion(expression: string, cost: number): readonly EvaluatedExpression[] {
  return expression === "" ? [] : [{ expression, outcome: "false", message: "", cost }];
}

/** Notes of a part of admission that runs beside others. */
export function emptyNotes(): RequestNotes {
  return { annotations: undefined, admission: undefined };
}

/** Adds the notes of a part that has ended. */
export function adoptNotes(attributes: AdmissionAttributes, part: RequestNotes | undefined): void {
  if (part === undefined) return;
  for (const [name, value] of Object.entries(part.annotations ?? {})) annotate(attributes, name, value);
  for (const step of part.admission ?? []) record(attributes, step);
}
