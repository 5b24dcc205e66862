import { type FieldError, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, structAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-type.ts";
import { type JsonObject, jsonEqual, type MutableJsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { checkedAnewAtFirst } from "../../../registry/contract/checked-anew.ts";
import { withPreparation } from "../../../registry/contract/default-strategy.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import type { ConfigurationAge } from "../devices/device-configuration.ts";
import { deviceFormOf } from "../devices/device-forms.ts";
import { goClaimSpec, goTemplateSpec } from "../devices/go-types.ts";
import { claimSpecErrors } from "./device-claim.ts";
import { claimStatusErrors } from "./resource-claim-status.ts";

const immutable = "field is immutable";

/** ResourceClaims ask for devices, and go on asking for the same. */
export function resourceClaimStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const strategy: Strategy = {
    ...withPreparation(base, (claim, old) => {
      claim["spec"] = withoutDisabledFields(structAt(claim, "spec"), old && structAt(old, "spec"), gates);
    }),
    validate: (claim) => claimSpecErrors(structAt(claim, "spec"), "spec", deviceFormOf(claim), "new"),
    validateUpdate: (claim, old) => [
      ...specChangeErrors(claim, old, goClaimSpec),
      // What may not change was valid once.
      ...claimSpecErrors(structAt(claim, "spec"), "spec", deviceFormOf(claim), "stored"),
    ],
  };
  return checkedAnewAtFirst(strategy, true, gates);
}

/** `/status` says what a claim was given, and who uses it. */
export function resourceClaimStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const status = statusStrategy(base);
  return {
    ...status,
    prepareForUpdate: (claim, old, context) => {
      status.prepareForUpdate(claim, old, context);
      dropDeviceReports(claim, old, gates);
    },
    validateUpdate: (claim, old) => claimStatusErrors(claim, old, gates.minor >= 33 ? 256 : 32),
  };
}

/** ResourceClaimTemplates are claims that are yet to be made, and stay as they are. */
export function resourceClaimTemplateStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const prepare = (template: MutableKubeObject, old: KubeObject | undefined) => {
    const spec = structAt(template, "spec");
    const before = old && structAt(structAt(old, "spec"), "spec");
    template["spec"] = { ...spec, spec: withoutDisabledFields(structAt(spec, "spec"), before, gates) };
  };
  const strategy: Strategy = {
    ...base,
    prepareForCreate: (template) => prepare(template, undefined),
    validate: (template) => templateErrors(template, "new"),
    prepareForUpdate: prepare,
    validateUpdate: (template, old) => [
      ...specChangeErrors(template, old, goTemplateSpec),
      ...templateErrors(template, "stored"),
    ],
  };
  return checkedAnewAtFirst(strategy, true, gates);
}

function templateErrors(template: KubeObject, age: ConfigurationAge): readonly FieldError[] {
  const spec = structAt(structAt(template, "spec"), "spec");
  return claimSpecErrors(spec, "spec.spec", deviceFormOf(template), age);
}

function specChangeErrors(
  object: KubeObject,
  old: KubeObject,
  type: typeof goClaimSpec,
): readonly FieldError[] {
  const spec = structAt(object, "spec");
  if (jsonEqual(spec, structAt(old, "spec"))) return [];
  return [fieldInvalid("spec", typedValue(type, spec), immutable)];
}

/** Access for administrators waits for its gate, unless somebody had it before. */
function withoutDisabledFields(
  spec: JsonObject,
  old: JsonObject | undefined,
  gates: FeatureGates,
): JsonObject {
  const requests = listAt(spec, "devices", "requests");
  const inUse = listAt(old ?? {}, "devices", "requests").some(asksForAdminAccess);
  if (gates.isEnabled("DRAAdminAccess") || inUse || !requests.some(asksForAdminAccess)) return spec;
  const devices = { ...structAt(spec, "devices"), requests: requests.map(withoutAdminAccess) };
  return { ...spec, devices };
}

function asksForAdminAccess(request: JsonObject): boolean {
  return request["adminAccess"] !== undefined || objectAt(request, "exactly")?.["adminAccess"] !== undefined;
}

function withoutAdminAccess({ adminAccess: _dropped, ...request }: JsonObject): JsonObject {
  const exactly = objectAt(request, "exactly");
  return exactly === undefined ? request : { ...request, exactly: withoutAdminAccess(exactly) };
}

/** Reports on devices wait for their gate. */
function dropDeviceReports(claim: MutableKubeObject, old: KubeObject, gates: FeatureGates): void {
  if (gates.isEnabled("DRAResourceClaimDeviceStatus")) return;
  const status: MutableJsonObject = { ...structAt(claim, "status") };
  if (status["devices"] === undefined || structAt(old, "status")["devices"] !== undefined) return;
  delete status["devices"];
  claim["status"] = status;
}
