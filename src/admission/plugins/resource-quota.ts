import { isConflict } from "../../apimachinery/errors/error-predicates.ts";
import { objectAt, structAt } from "../../apimachinery/fields.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { parseQuantity, type Quantity } from "../../apimachinery/quantity.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { type Amounts, amountsIn, negated, sumOf } from "../../kinds/quantities/resource-amounts.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";
import { isAbout, refused } from "../contract/attributes.ts";
import { SideEffects } from "../contract/side-effects.ts";
import { type Charge, refund, type UpdateQuotaStatus } from "../quota/refund.ts";
import { isInScope } from "../quota/scopes.ts";
import type { Turns } from "../quota/turns.ts";
import { isCounted, unspecified, usageOf } from "../quota/usage.ts";

const resourceQuotas = { group: "", resource: "resourcequotas" };
/** What the plugin needs of the server. */
export interface QuotaAccess {
  readonly lister: Lister;
  /** Writes the status of a quota, as the server itself. */
  readonly updateQuotaStatus: UpdateQuotaStatus;
  /** Whose turn it is to write in a namespace that has quotas; who counts what is there takes one as well. */
  readonly quotaTurns: Turns;
}

/** Clients may write to a quota as well. */
const attempts = 10;

/** Refuses what would make a namespace use more than its quotas say, and writes down what is used. */
export function resourceQuota({ lister, updateQuotaStatus, quotaTurns }: QuotaAccess): AdmissionPlugin {
  return {
    name: "ResourceQuota",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    validate: (attributes) => {
      const { namespace, object } = attributes;
      if (object === undefined || namespace === "" || !usesMore(attributes)) return undefined;
      if (lister.list(resourceQuotas, namespace).length === 0) return undefined;
      return quotaTurns.take(namespace).then((giveBack) => {
        // Whoever counts must find the object where it finds the charge, so the turn is over when the write is.
        attributes.sideEffects.addEnding(giveBack);
        return charge(lister, updateQuotaStatus, attributes, object);
      });
    },
  };
}

/** Only these can come to use more than they were created with. */
function usesMore(attributes: AdmissionAttributes): boolean {
  if (attributes.subresource !== "" || attributes.gvr.resource === "namespaces") return false;
  if (attributes.operation === "CREATE") return true;
  return isAbout(attributes, "", "services") || isAbout(attributes, "", "persistentvolumeclaims");
}

async function charge(
  lister: Lister,
  updateStatus: UpdateQuotaStatus,
  attributes: AdmissionAttributes,
  object: KubeObject,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const charges = lister
      .list(resourceQuotas, attributes.namespace)
      .flatMap((quota) => chargeOf(quota, attributes, object) ?? []);
    if (attributes.dryRun) return;
    const written = new SideEffects();
    try {
      for (const wanted of charges) {
        const charged = await updateStatus(wanted.charged);
        written.add(() => refund(lister, updateStatus, { ...wanted, charged }));
      }
      attributes.sideEffects.add(() => written.revert());
      return;
    } catch (error) {
      await written.revert();
      if (!isConflict(error) || attempt === attempts) throw error;
    }
  }
}

/**
 * The quota with what the object uses of it, or undefined if that is nothing.
 * @throws {StatusError} forbidden
 */
function chargeOf(
  quota: KubeObject,
  attributes: AdmissionAttributes,
  object: KubeObject,
): Charge | undefined {
  const { gvr } = attributes;
  if (!isInScope(quota, gvr, object)) return undefined;
  const { name } = quota.metadata;
  const status = structAt(quota, "status");
  const hard = amountsIn(objectAt(status, "hard"));
  const used = amountsIn(objectAt(status, "used"));
  const limited = [...hard.keys()].filter((resource) => isCounted(gvr, resource));
  if (limited.length === 0) return undefined;
  const open = isAbout(attributes, "", "pods") ? unspecified(object, limited) : "";
  if (open !== "") throw refused(attributes, `failed quota: ${name}: ${open}`);
  const unknown = limited.filter((resource) => !used.has(resource));
  if (unknown.length > 0) {
    throw refused(attributes, `status unknown for quota: ${name}, resources: ${unknown.join(",")}`);
  }
  const wanted = masked(wantedOf(attributes, object), limited);
  if (wanted.size === 0) return undefined;
  const total = sumOf(used, wanted);
  const exceeded = [...wanted.keys()].filter((resource) => exceeds(total, hard, resource));
  if (exceeded.length > 0) {
    const shown = [wanted, used, hard].map((amounts) => listed(masked(amounts, exceeded)));
    const text = `requested: ${shown[0]}, used: ${shown[1]}, limited: ${shown[2]}`;
    throw refused(attributes, `exceeded quota: ${name}, ${text}`);
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

/** What the object uses, less what it used before; what does not change is left out. */
function wantedOf({ gvr, oldObject }: AdmissionAttributes, object: KubeObject): Amounts {
  const usage = usageOf(gvr, object);
  const before: Amounts = oldObject === undefined ? new Map() : usageOf(gvr, oldObject);
  return new Map([...sumOf(usage, negated(before))].filter(([, amount]) => amount.sign !== 0));
}

function masked(amounts: Amounts, names: readonly string[]): Amounts {
  const kept = [...amounts].filter(([name]) => names.includes(name));
  return new Map<string, Quantity>(kept.sort(([a], [b]) => compareText(a, b)));
}

function listed(amounts: Amounts): string {
  return [...amounts].map(([name, amount]) => `${name}=${amount}`).join(",");
}
