import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { listAt, numberAt, objectAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { cidrContains, parseCidr } from "../../../apimachinery/ip.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Since } from "../../../apimachinery/release.ts";
import { labelSelectorErrors } from "../../../apimachinery/selectors/label-selector-object.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { portNameMessages, portNumberMessages } from "../../../apimachinery/validation/value-formats.ts";
import { metadataErrors, metadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import { cidrErrors } from "../../addresses/address-validation.ts";
import { cidrWarnings } from "../../addresses/address-warnings.ts";
import { addSelector } from "../../findings/findings.ts";

const metadataRules = { namespaced: true, validateName: dnsSubdomainName };

const protocols: readonly string[] = ["TCP", "UDP", "SCTP"];

const policyTypes: readonly string[] = ["Ingress", "Egress"];

/** The fields of the rules and of their peers. */
const directions = [
  ["ingress", "from"],
  ["egress", "to"],
] as const;

/**
 * The errors in a new NetworkPolicy.
 * Upstream: pkg/apis/networking/validation/validation.go, ValidateNetworkPolicySpec.
 */
export function networkPolicyErrors(policy: KubeObject): readonly FieldError[] {
  return specErrors(structAt(policy, "spec"), false);
}

/** The errors of an update. Up to 1.32, upstream validates the whole object twice. */
export function networkPolicyUpdateErrors(
  policy: KubeObject,
  old: KubeObject,
  since: Since,
): readonly FieldError[] {
  const errors = specErrors(structAt(policy, "spec"), hasInvalidSelector(old));
  const changed = [...metadataUpdateErrors(policy, old), ...errors];
  return since("1.33") ? changed : [...metadataErrors(policy, metadataRules), ...errors, ...changed];
}

/** Invalid label values in an existing selector remain accepted. */
function hasInvalidSelector(policy: KubeObject): boolean {
  return labelSelectorErrors(structAt(policy, "spec")["podSelector"], "").length > 0;
}

function specErrors(spec: JsonObject, allowsInvalidValues: boolean): readonly FieldError[] {
  const errors: FieldError[] = [];
  addSelector(errors, spec["podSelector"], "spec.podSelector", { allowsInvalidValues });
  for (const [direction, peers] of directions) {
    for (const [i, rule] of listAt(spec, direction).entries()) {
      const field = `spec.${direction}[${i}]`;
      for (const [j, port] of listAt(rule, "ports").entries()) {
        errors.push(...portErrors(port, `${field}.ports[${j}]`));
      }
      for (const [j, peer] of listAt(rule, peers).entries()) {
        errors.push(...peerErrors(peer, `${field}.${peers}[${j}]`, allowsInvalidValues));
      }
    }
  }
  return [...errors, ...typeErrors(textsAt(spec, "policyTypes"))];
}

function typeErrors(types: readonly string[]): readonly FieldError[] {
  if (types.length > policyTypes.length) {
    const shown = typedValue("[]networking.PolicyType", types);
    return [fieldInvalid("spec.policyTypes", shown, "may not specify more than two policyTypes")];
  }
  return types.flatMap((type, i) =>
    policyTypes.includes(type) ? [] : [fieldNotSupported(`spec.policyTypes[${i}]`, type, policyTypes)],
  );
}

function portErrors(item: JsonObject, field: string): readonly FieldError[] {
  const { protocol, port } = item;
  const errors: FieldError[] = [];
  if (typeof protocol === "string" && !protocols.includes(protocol)) {
    errors.push(fieldNotSupported(`${field}.protocol`, protocol, protocols));
  }
  if (typeof port === "number") return [...errors, ...numberErrors(item, port, field)];
  const hasEnd = item["endPort"] !== undefined;
  const end = numberAt(item, "endPort");
  if (typeof port === "string") {
    if (hasEnd) {
      const detail = "may not be specified when `port` is non-numeric";
      errors.push(fieldInvalid(`${field}.endPort`, end, detail));
    }
    const messages = portNameMessages(port);
    return [...errors, ...messages.map((message) => fieldInvalid(`${field}.port`, port, message))];
  }
  if (!hasEnd) return errors;
  const detail = "may not be specified when `port` is not specified";
  return [...errors, fieldInvalid(`${field}.endPort`, end, detail)];
}

function numberErrors(item: JsonObject, port: number, field: string): readonly FieldError[] {
  const errors = portNumberMessages(port).map((message) => fieldInvalid(`${field}.port`, port, message));
  if (item["endPort"] === undefined) return errors;
  const end = numberAt(item, "endPort");
  if (end < port) {
    // Upstream shows the value of `port`, not of `endPort`.
    errors.push(fieldInvalid(`${field}.endPort`, port, "must be greater than or equal to `port`"));
  }
  const messages = portNumberMessages(end);
  return [...errors, ...messages.map((message) => fieldInvalid(`${field}.endPort`, end, message))];
}

function peerErrors(peer: JsonObject, field: string, allowsInvalidValues: boolean): readonly FieldError[] {
  const errors: FieldError[] = [];
  const block = objectAt(peer, "ipBlock");
  const selectors = ["podSelector", "namespaceSelector"].filter((name) => peer[name] !== undefined);
  for (const name of selectors) addSelector(errors, peer[name], `${field}.${name}`, { allowsInvalidValues });
  if (block !== undefined) errors.push(...blockErrors(block, `${field}.ipBlock`));
  else if (selectors.length === 0) errors.push(fieldRequired(field, "must specify a peer"));
  if (block !== undefined && selectors.length > 0) {
    errors.push(fieldForbidden(field, "may not specify both ipBlock and another peer"));
  }
  return errors;
}

function blockErrors(block: JsonObject, field: string): readonly FieldError[] {
  const text = textAt(block, "cidr");
  if (text === "") return [fieldRequired(`${field}.cidr`)];
  const cidr = parseCidr(text);
  if (cidr === undefined) return cidrErrors(text, `${field}.cidr`);
  return textsAt(block, "except").flatMap((except, i) => {
    const path = `${field}.except[${i}]`;
    const part = parseCidr(except);
    if (part === undefined) return cidrErrors(except, path);
    if (cidrContains(cidr, part.address) && cidr.prefixLength < part.prefixLength) return [];
    return [fieldInvalid(path, except, "must be a strict subset of `cidr`")];
  });
}

/** The warnings for CIDRs that are not in their canonical form. */
export function ipBlockWarnings(policy: KubeObject, since: Since): readonly string[] {
  if (!since("1.33")) return [];
  return directions.flatMap(([direction, peers]) =>
    listAt(policy, "spec", direction).flatMap((rule, i) =>
      listAt(rule, peers).flatMap((peer, j) => {
        const block = objectAt(peer, "ipBlock");
        if (block === undefined) return [];
        const field = `spec.${direction}[${i}].${peers}[${j}].ipBlock`;
        return [
          ...cidrWarnings(textAt(block, "cidr"), `${field}.cidr`, since),
          ...textsAt(block, "except").flatMap((cidr, k) =>
            cidrWarnings(cidr, `${field}.except[${k}]`, since),
          ),
        ];
      }),
    ),
  );
}
