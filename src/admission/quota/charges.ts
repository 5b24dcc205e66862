import { isConflict } from "../../apimachinery/errors/error-predicates.ts";
import { objectAt, structAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { parseQuantity, type Quantity } from "../../apimachinery/quantity.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { type Amounts, amountsIn, negated, sumOf } from "../../kinds/quantities/resource-amounts.ts";
import type { QuotaEvaluator } from "../../registry/contract/quota-evaluator.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import { refused } from "../contract/attributes.ts";
import { SideEffects } from "../contract/side-effects.ts";
import type { CheckCoverage } from "./limited-resources.ts";
import type { QuotaAccess } from "./quota-access.ts";
import { type Charge, refund } from "./refund.ts";
import { isInScope } from "./scopes.ts";
import { isCounted, usageOf } from "./usage.ts";

const resourceQuotas = { group: "", resource: "resourcequotas" };
/** Attempts to charge a quota; another client can write to it in between. */
const attempts = 10;

/** An object whose usage is charged. */
interface Charged {
  readonly object: KubeObject;
  readonly evaluator: QuotaEvaluator | undefined;
  readonly checkCoverage: CheckCoverage | undefined;
}

/** Adds what an object uses to the status of the quotas that limit it. @throws {StatusError} forbidden if it exceeds one */
export async function charge(
  { lister, updateQuotaStatus: updateStatus }: QuotaAccess,
  attributes: AdmissionAttributes,
  charged: Charged,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const charges = chargesOf(lister.list(resourceQuotas, attributes.namespace), attributes, charged);
    if (attributes.dryRun) return;
    const written = new SideEffects();
    try {
      for (const wanted of charges) {
        const stored = await updateStatus(wanted.charged);
        written.add(() => refund(lister, updateStatus, { ...wanted, charged: stored }));
      }
      attributes.sideEffects.add(() => written.revert());
      return;
    } catch (error) {
      await written.revert();
      if (!isConflict(error) || attempt === attempts) throw error;
    }
  }
}

/** The charges of an object on the quotas that limit what it uses. @throws {StatusError} forbidden */
function chargesOf(
  quotas: readonly KubeObject[],
  attributes: AdmissionAttributes,
  charged: Charged,
): readonly Charge[] {
  const restrictions = quotas.flatMap((quota) => restrictionOf(quota, attributes, charged) ?? []);
  const { checkCoverage, object, evaluator } = charged;
  if (checkCoverage === undefined && restrictions.length === 0) return [];
  const delta = usageDelta(attributes, charged);
  if (checkCoverage !== undefined && [...delta.values()].some(({ sign }) => sign > 0)) {
    const restricted = new Set(restrictions.flatMap(({ limited }) => limited));
    checkCoverage({ attributes, object, evaluator, quotas, restricted });
  }
  return restrictions.flatMap((restriction) => chargeOf(restriction, delta, attributes) ?? []);
}

/** A quota, and the resources that it limits for an object. */
interface Restriction {
  readonly quota: KubeObject;
  readonly limited: readonly string[];
}

/** Undefined for a quota that limits nothing that the object can use. @throws {StatusError} forbidden */
function restrictionOf(
  quota: KubeObject,
  attributes: AdmissionAttributes,
  { object, evaluator }: Charged,
): Restriction | undefined {
  if (!isInScope(quota, evaluator, object)) return undefined;
  const { name } = quota.metadata;
  const status = structAt(quota, "status");
  const hard = objectAt(status, "hard") ?? {};
  const used = objectAt(status, "used") ?? {};
  const limited = Object.keys(hard).filter((resource) => isCounted(attributes.gvr, evaluator, resource));
  if (limited.length === 0) return undefined;
  const missing = evaluator?.constraints?.(object, limited) ?? "";
  if (missing !== "") throw refused(attributes, `failed quota: ${name}: ${missing}`);
  const unknown = limited.filter((resource) => used[resource] === undefined);
  if (unknown.length > 0) {
    throw refused(attributes, `status unknown for quota: ${name}, resources: ${unknown.join(",")}`);
  }
  return { quota, limited };
}

/** The charge on a quota; undefined without any. @throws {StatusError} forbidden */
function chargeOf(
  { quota, limited }: Restriction,
  delta: Amounts,
  attributes: AdmissionAttributes,
): Charge | undefined {
  const status = structAt(quota, "status");
  const hard = amountsIn(objectAt(status, "hard"));
  const used = amountsIn(objectAt(status, "used"));
  const wanted = masked(delta, limited);
  if (wanted.size === 0) return undefined;
  const total = sumOf(used, wanted);
  const exceeded = [...wanted.keys()].filter((resource) => exceeds(total, hard, resource));
  if (exceeded.length > 0) {
    const shown = [wanted, used, hard].map((amounts) => listed(masked(amounts, exceeded)));
    const text = `requested: ${shown[0]}, used: ${shown[1]}, limited: ${shown[2]}`;
    throw refused(attributes, `exceeded quota: ${quota.metadata.name}, ${text}`);
  }
  const texts = [...total].map(([resource, amount]) => [resource, String(amount)]);
  const charged = { ...quota, status: { ...status, used: Object.fromEntries(texts) } };
  return { before: quota, charged, amounts: wanted };
}

function exceeds(total: Amounts, hard: Amounts, resource: string): boolean {
  const most = hard.get(resource);
  return most !== undefined && (total.get(resource) ?? zero).compare(most) > 0;
}

const zero = parseQuantity("0");

/** What the object uses, less what it used before, without the resources whose usage stays the same. */
function usageDelta({ gvr, oldObject }: AdmissionAttributes, { object, evaluator }: Charged): Amounts {
  const usage = usageOf(gvr, evaluator, object);
  const before: Amounts = oldObject === undefined ? new Map() : usageOf(gvr, evaluator, oldObject);
  return new Map([...sumOf(usage, negated(before))].filter(([, amount]) => amount.sign !== 0));
}

function masked(amounts: Amounts, names: readonly string[]): Amounts {
  const kept = [...amounts].filter(([name]) => names.includes(name));
  return new Map<string, Quantity>(kept.sort(([a], [b]) => compareText(a, b)));
}

function listed(amounts: Amounts): string {
  return [...amounts].map(([name, amount]) => `${name}=${amount}`).join(",");
}
