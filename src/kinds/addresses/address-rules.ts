import type { Wording } from "../../apimachinery/errors/wording.ts";
import { listAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { standardCidrMessages, standardIpMessages } from "../../apimachinery/validation/strict-addresses.ts";
import { cidrMessages, ipMessages } from "../../apimachinery/validation/value-formats.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";

/** How fields that are older than the strict rules for addresses are validated. */
export interface AddressRules {
  readonly ip: (text: string) => readonly Wording[];
  readonly cidr: (text: string) => readonly Wording[];
}

const lenient: AddressRules = { ip: ipMessages, cidr: cidrMessages };
const strict: AddressRules = { ip: standardIpMessages, cidr: standardCidrMessages };

/**
 * The rules by StrictIPCIDRValidation. What the old object has remains valid, wherever it stands; `old` are its addresses or CIDRs. Upstream:
 * IsValidIPForLegacyField and IsValidCIDRForLegacyField of apimachinery, pkg/util/validation/ip.go.
 */
export function addressRules(gates: FeatureGates, old: readonly string[] = []): AddressRules {
  if (!gates.isEnabled("StrictIPCIDRValidation")) return lenient;
  if (old.length === 0) return strict;
  const known = new Set(old);
  return {
    ip: (text) => (known.has(text) ? [] : strict.ip(text)),
    cidr: (text) => (known.has(text) ? [] : strict.cidr(text)),
  };
}

/** The rules for a list that stays as it is as a whole, or is validated like a new one. */
export function rulesOfList(gates: FeatureGates, isUnchanged: boolean): AddressRules {
  return isUnchanged ? lenient : addressRules(gates);
}

/** The addresses in the load balancer status of an object. */
export function balancerAddresses(object: KubeObject): readonly string[] {
  return listAt(structAt(object, "status"), "loadBalancer", "ingress").map((point) => textAt(point, "ip"));
}
