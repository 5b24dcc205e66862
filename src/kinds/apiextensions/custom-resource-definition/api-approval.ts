import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { parseGoUrl } from "../../../apimachinery/go/go-url.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { key } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

const annotation = "api-approved.kubernetes.io";

/** What the annotation of a definition in a protected group says, and why. */
export interface Approval {
  readonly state: "approved" | "bypassed" | "invalid" | "missing";
  readonly reason: string;
}

/** Whether a group belongs to the Kubernetes community, which reviews its APIs. */
export function isProtectedGroup(group: string): boolean {
  const isBelow = (domain: string) => group === domain || group.endsWith(`.${domain}`);
  return isBelow("k8s.io") || isBelow("kubernetes.io");
}

/** The approval of a definition. Upstream: apihelpers.GetAPIApprovalState. */
export function approvalOf({ metadata }: KubeObject): Approval {
  const text = textAt(metadata, "annotations", annotation);
  const need = `protected groups must have approval annotation ${goQuote(annotation)}`;
  const see = "see https://github.com/kubernetes/enhancements/pull/1111";
  if (text === "") return { state: "missing", reason: `${need}, ${see}` };
  if (text.startsWith("unapproved")) return { state: "bypassed", reason: `not approved: ${goQuote(text)}` };
  if (isUrl(text)) return { state: "approved", reason: `approved in ${text}` };
  const reason = `${need} with either a URL or a reason starting with "unapproved", ${see}`;
  return { state: "invalid", reason };
}

function isUrl(text: string): boolean {
  try {
    const { scheme, host } = parseGoUrl(text);
    return scheme !== "" && host !== "";
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}

/** Requires an approval in protected groups; one that has not changed is never an error. Upstream: validateAPIApproval. */
export function addApprovalErrors(
  errors: Findings,
  definition: KubeObject,
  old: KubeObject | undefined,
): void {
  if (!isProtectedGroup(textAt(definition, "spec", "group"))) return;
  const { state, reason } = approvalOf(definition);
  if (old !== undefined && approvalOf(old).state === state) return;
  const field = key("metadata.annotations", annotation);
  if (state === "missing") errors.push(fieldRequired(field, reason));
  if (state !== "invalid") return;
  errors.push(fieldInvalid(field, textAt(definition.metadata, "annotations", annotation), reason));
}
