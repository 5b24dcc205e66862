import { listAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonCopy, type MutableJsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import type { UserInfo } from "../../../apimachinery/user-info.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { NameValidator } from "../../../apimachinery/validation/names.ts";
import { keepOld } from "../../../registry/contract/default-strategy.ts";
import { addMetadataErrors, addMetadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import {
  addBetaRequestErrors,
  addRequestErrors,
  addRequestUpdateErrors,
  type RequestEndpoint,
} from "./certificate-signing-request-validation.ts";

const decisions = ["Approved", "Denied"];

/** Upstream does not restrict the names of requests. */
const anyName: NameValidator = () => [];
const metadataRules = { namespaced: false, validateName: anyName };

/** The spec has the user that made the request, and never changes. */
export function certificateSigningRequestStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...base,
    validateName: anyName,
    metadataChecks: { create: "core", update: "own" },
    prepareForCreate: (object, { user }) => {
      const spec = { ...structAt(object, "spec"), ...userFields(user) };
      if (!gates.isEnabled("CSRDuration")) delete spec["expirationSeconds"];
      object["spec"] = spec;
      object["status"] = {};
    },
    validate: (errors, object) => addRequestErrors(errors, object, undefined),
    prepareForUpdate: (object, old) => {
      keepOld(object, old, "spec");
      keepOld(object, old, "status");
    },
    validateUpdate: (errors, object, old) => addUpdateErrors(errors, object, old, "object"),
  };
}

/** v1beta1 allows signers and usages that v1 rejects. */
export function betaCertificateSigningRequestStrategy(strategy: Strategy): Strategy {
  return { ...strategy, validate: addBetaRequestErrors };
}

/** `/status` sets the certificate; conditions of type Approved and Denied are kept. */
export function certificateStatusStrategy(base: Strategy): Strategy {
  return conditionsStrategy(base, "status", (_object, old, conditions) => {
    for (const type of decisions) keepDecision(conditions, old, type);
  });
}

/** `/approval` changes only the conditions. */
export function certificateApprovalStrategy(base: Strategy): Strategy {
  return conditionsStrategy(base, "approval", (object, old) => keepOld(object, old, "status"));
}

/** The strategy of a subresource that updates conditions. `keep` restores what the endpoint must not change. */
function conditionsStrategy(
  base: Strategy,
  endpoint: RequestEndpoint,
  keep: (object: MutableKubeObject, old: KubeObject, conditions: MutableJsonObject[]) => void,
): Strategy {
  const status = statusStrategy(base);
  return {
    ...status,
    metadataChecks: base.metadataChecks,
    prepareForUpdate: (object, old, context) => {
      status.prepareForUpdate(object, old, context);
      const conditions = conditionsOf(object);
      keep(object, old, conditions);
      setConditions(object, old, conditions, context.now);
    },
    validateUpdate: (errors, object, old) => addUpdateErrors(errors, object, old, endpoint),
  };
}

/** Adds the errors of changed metadata last. */
function addUpdateErrors(
  errors: Findings,
  object: KubeObject,
  old: KubeObject,
  endpoint: RequestEndpoint,
): void {
  addMetadataErrors(errors, object, metadataRules);
  addRequestUpdateErrors(errors, object, old, endpoint);
  addMetadataUpdateErrors(errors, object, old);
}

/** Canonicalization drops the empty fields. */
function userFields({ name, uid, groups, extra }: UserInfo): JsonObject {
  const values: MutableJsonObject = {};
  for (const [key, texts] of Object.entries(extra)) values[key] = [...texts];
  return { username: name, uid, groups: [...groups], extra: values };
}

function conditionsOf(object: KubeObject): MutableJsonObject[] {
  return listAt(object, "status", "conditions").map((condition) => jsonCopy({ ...condition }));
}

/** Restores the conditions of a type, unless their number has changed. */
function keepDecision(conditions: MutableJsonObject[], old: KubeObject, type: string): void {
  const before = listAt(old, "status", "conditions").filter((condition) => condition["type"] === type);
  const at = [...conditions.keys()].filter((i) => conditions[i]?.["type"] === type);
  if (before.length !== at.length) return;
  for (const [i, condition] of before.entries()) conditions[at[i] ?? 0] = { ...condition };
}

function setConditions(
  object: MutableKubeObject,
  old: KubeObject,
  conditions: readonly MutableJsonObject[],
  now: number,
): void {
  for (const condition of conditions) setTimes(condition, old, formatTime(now));
  const status: MutableJsonObject = { ...structAt(object, "status"), conditions: [...conditions] };
  if (conditions.length === 0) delete status["conditions"];
  object["status"] = status;
}

/** Sets unset times: the transition time of the same old condition, otherwise the current time. */
function setTimes(condition: MutableJsonObject, old: KubeObject, now: string): void {
  condition["lastUpdateTime"] ??= now;
  if (condition["lastTransitionTime"]) return;
  const same = listAt(old, "status", "conditions").find(
    (before) =>
      textAt(before, "type") === condition["type"] &&
      textAt(before, "status") === condition["status"] &&
      isSet(before["lastTransitionTime"]),
  );
  condition["lastTransitionTime"] = same?.["lastTransitionTime"] ?? now;
}

function isSet(time: JsonObject[string] | undefined): boolean {
  return typeof time === "string";
}
