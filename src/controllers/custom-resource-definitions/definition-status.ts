import { aggregateText } from "../../apimachinery/errors/aggregate.ts";
import { fieldCauses, fieldInvalid, formatFieldError } from "../../apimachinery/errors/field.ts";
import { listAt, objectAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { noGoTypes } from "../../apimachinery/go/go-shape.ts";
import { type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Since } from "../../apimachinery/release.ts";
import { index } from "../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import {
  approvalOf,
  isProtectedGroup,
} from "../../kinds/apiextensions/custom-resource-definition/api-approval.ts";
import {
  conditionOf,
  type DefinitionCondition,
  isConditionTrue,
  withCondition,
} from "../../kinds/apiextensions/custom-resource-definition/conditions.ts";
import { addStructuralErrors } from "../../kinds/apiextensions/custom-resource-definition/structural-validation.ts";
import { acceptNames, type TakenNames } from "./accepted-names.ts";
import { isCertificateBundle } from "./certificate-bundle.ts";

/** What the next status of a definition depends on. */
export interface StatusFacts {
  /** The accepted names of the other definitions in the group. */
  readonly taken: TakenNames;
  readonly now: number;
  /** Whether a test holds the definition back. */
  readonly establishment: "held" | "free";
  readonly since: Since;
}

/** The status in which the controllers leave a definition at last: once its names are decided, only its establishment is open. */
export function settledStatus(definition: KubeObject, facts: StatusFacts): JsonObject {
  const named = nextStatus(definition, facts);
  if (named === undefined) return structAt(definition, "status");
  const decided = { ...definition, status: named };
  const isWaiting = isConditionTrue(decided, "NamesAccepted") && !isConditionTrue(decided, "Established");
  if (!isWaiting || facts.establishment === "held") return named;
  const conditions = withCondition(listAt(named, "conditions"), establishmentOf(definition), facts.now);
  return { ...named, conditions };
}

/** The next status of a definition; undefined if it has it. */
export function nextStatus(
  definition: KubeObject,
  { taken, now, establishment, since }: StatusFacts,
): JsonObject | undefined {
  const before = structAt(definition, "status");
  const accepted = structAt(before, "acceptedNames");
  const { names, condition } = acceptNames(structAt(definition, "spec", "names"), accepted, taken);
  let conditions = listAt(before, "conditions");
  const isKnown = isEquivalent(conditionOf(definition, "NamesAccepted"), condition);
  if (!isKnown || !jsonEqual(names, accepted)) {
    conditions = withCondition(conditions, condition, now);
    conditions = withCondition(conditions, establishing(definition, condition), now);
  } else if (isWaiting(definition, condition) && establishment === "free") {
    conditions = withCondition(conditions, establishmentOf(definition), now);
  }
  conditions = withApproval(conditions, definition, now);
  conditions = withStructure(conditions, definition, now, since);
  const status = { ...before, conditions, acceptedNames: names };
  return jsonEqual(status, { ...before, conditions: listAt(before, "conditions"), acceptedNames: accepted })
    ? undefined
    : status;
}

/** Whether the names are accepted, and the definition is not established yet. */
function isWaiting(definition: KubeObject, { status }: DefinitionCondition): boolean {
  return status === "True" && !isConditionTrue(definition, "Established");
}

/** Upstream establishes no definition whose webhook cannot be trusted (pkg/controller/establish). */
function establishmentOf(definition: KubeObject): DefinitionCondition {
  const bundle = textAt(definition, "spec", "conversion", "webhook", "clientConfig", "caBundle");
  return bundle === "" || isCertificateBundle(bundle) ? established : invalidBundle;
}

const invalidBundle: DefinitionCondition = {
  type: "Established",
  status: "False",
  reason: "InvalidCABundle",
  message: "The conversion webhook CABundle is invalid",
};

const established: DefinitionCondition = {
  type: "Established",
  status: "True",
  reason: "InitialNamesAccepted",
  message: "the initial names have been accepted",
};

/** An established definition stays established, whatever names it requests later. */
function establishing(definition: KubeObject, { status }: DefinitionCondition): DefinitionCondition {
  if (isConditionTrue(definition, "Established")) return established;
  if (status === "True") return { ...established, status: "False", reason: "Installing" };
  return {
    type: "Established",
    status: "False",
    reason: "NotAccepted",
    message: "not all names are accepted",
  };
}

function isEquivalent(
  known: JsonObject | undefined,
  { status, reason, message }: DefinitionCondition,
): boolean {
  return known?.["status"] === status && known["reason"] === reason && known["message"] === message;
}

const approvalReasons = {
  approved: "ApprovedAnnotation",
  bypassed: "UnapprovedAnnotation",
  invalid: "InvalidAnnotation",
  missing: "MissingAnnotation",
} as const;

/** Upstream: pkg/controller/apiapproval/apiapproval_controller.go. */
function withApproval(
  conditions: readonly JsonObject[],
  definition: KubeObject,
  now: number,
): readonly JsonObject[] {
  const type = "KubernetesAPIApprovalPolicyConformant";
  if (!isProtectedGroup(textAt(definition, "spec", "group"))) {
    return withoutCondition(conditions, type);
  }
  const { state, reason: message } = approvalOf(definition);
  const status = state === "approved" ? "True" : "False";
  const condition: DefinitionCondition = { type, status, reason: approvalReasons[state], message };
  const known = conditionOf(definition, type);
  return isEquivalent(known, condition) ? conditions : withCondition(conditions, condition, now);
}

/** What keeps the schemas of a spec from being structural. Only a definition that preserves unknown fields may have that. */
function violationsOf(spec: JsonObject, since: Since): string {
  const errors: Findings = [];
  if (since("1.17")) errors.push(fieldInvalid("spec.preserveUnknownFields", true, "must be false"));
  for (const [i, version] of listAt(spec, "versions").entries()) {
    const schema = objectAt(version, "schema", "openAPIV3Schema");
    const path = `${index("spec.versions", i)}.schema.openAPIV3Schema`;
    if (schema !== undefined) addStructuralErrors(errors, schema, path);
  }
  return errors.length === 0
    ? ""
    : aggregateText(fieldCauses(errors, since, noGoTypes).map(formatFieldError));
}

/** Upstream: pkg/controller/nonstructuralschema/nonstructuralschema_controller.go. */
function withStructure(
  conditions: readonly JsonObject[],
  definition: KubeObject,
  now: number,
  since: Since,
): readonly JsonObject[] {
  const type = "NonStructuralSchema";
  const spec = structAt(definition, "spec");
  const message = spec["preserveUnknownFields"] === true ? violationsOf(spec, since) : "";
  const known = conditionOf(definition, type);
  if (message !== "") {
    const condition: DefinitionCondition = { type, status: "True", reason: "Violations", message };
    return isEquivalent(known, condition) ? conditions : withCondition(conditions, condition, now);
  }
  return withoutCondition(conditions, type);
}

/** The same list if it has no such condition. */
function withoutCondition(conditions: readonly JsonObject[], type: string): readonly JsonObject[] {
  const others = conditions.filter((condition) => condition["type"] !== type);
  return others.length === conditions.length ? conditions : others;
}
