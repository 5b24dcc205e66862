import type { AdmissionStep } from "../../request/request-notes.ts";
import type { AdmissionAttributes } from "./admission.ts";

/** Adds an annotation to the audit log. The first value of a name stays. Upstream: apiserver, pkg/audit/context.go. */
export function annotate({ notes }: AdmissionAttributes, name: string, value: string): void {
  if (notes === undefined || notes.annotations?.[name] !== undefined) return;
  notes.annotations = { ...notes.annotations, [name]: value };
}

/** Adds a step to the trace of the request. */
export function record({ notes }: AdmissionAttributes, step: AdmissionStep): void {
  if (notes === undefined) return;
  notes.admission = [...(notes.admission ?? []), step];
}
