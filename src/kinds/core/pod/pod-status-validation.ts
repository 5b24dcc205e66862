import {
  fieldDuplicate,
  fieldForbidden,
  fieldInternal,
  fieldInvalid,
} from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { parseIp } from "../../../apimachinery/ip.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addQualifiedName, addSubdomain, type Findings } from "../../../apimachinery/validation/findings.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { type AddressRules, addressRules } from "../../addresses/address-rules.ts";
import { addIpErrors } from "../../addresses/address-validation.ts";
import { addAnnotationChanges } from "../../pod-spec/validation/annotations.ts";
import { podValidationOptions } from "../../pod-spec/validation/pod-validation-options.ts";
import { addId } from "../../pod-spec/validation/security-context.ts";
import { addRestarts } from "./container-restart-errors.ts";
import { addResourceHealth } from "./pod-resource-health.ts";

const systemConditions = ["PodScheduled", "Ready", "Initialized"];

/** Validates an update of a pod's status. Upstream: pkg/apis/core/validation/validation.go, ValidatePodStatusUpdate. */
export function addPodStatusErrors(
  errors: Findings,
  pod: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): void {
  const options = podValidationOptions(gates, pod.metadata.name ?? "", old);
  addAnnotationChanges(errors, pod, old, "metadata.annotations", options);
  const status = structAt(pod, "status");
  const oldStatus = structAt(old, "status");
  addConditions(errors, status);
  const nominated = textAt(status, "nominatedNodeName");
  if (nominated !== "" && nominated !== textAt(oldStatus, "nominatedNodeName")) {
    addSubdomain(errors, nominated, "status.nominatedNodeName");
  }
  if (textAt(status, "qosClass") !== textAt(oldStatus, "qosClass")) {
    errors.push(fieldInvalid("status.qosClass", textAt(status, "qosClass"), "field is immutable"));
  }
  addRestarts(errors, status, oldStatus, structAt(old, "spec"), gates);
  addClaimStatuses(errors, listAt(status, "resourceClaimStatuses"), structAt(pod, "spec"));
  addAddresses(
    errors,
    listAt(status, "podIPs"),
    podAddresses,
    addressRules(gates, ipsAt(oldStatus, "podIPs")),
  );
  addHostAddresses(errors, status, addressRules(gates, ipsAt(oldStatus, "hostIPs")));
  addUsers(errors, status, textAt(pod, "spec", "os", "name"));
  addResourceHealth(errors, status, structAt(pod, "spec"));
}

/** Upstream's path for conditions is below the metadata. */
function addConditions(errors: Findings, status: JsonObject): void {
  listAt(status, "conditions").forEach((condition, i) => {
    const type = textAt(condition, "type");
    if (systemConditions.includes(type)) return;
    addQualifiedName(errors, type, child(index("metadata.conditions", i), "Type"));
  });
}

function addClaimStatuses(errors: Findings, statuses: readonly JsonObject[], spec: JsonObject): void {
  const claims = new Set(listAt(spec, "resourceClaims").map((claim) => textAt(claim, "name")));
  const names = new Set<string>();
  statuses.forEach((status, i) => {
    const name = textAt(status, "name");
    const field = child(index("status.resourceClaimStatuses", i), "name");
    if (!claims.has(name)) {
      errors.push(fieldInvalid(field, name, "must match the name of an entry in `spec.resourceClaims`"));
    }
    if (names.has(name)) errors.push(fieldDuplicate(field, name));
    names.add(name);
    const claim = status["resourceClaimName"];
    if (typeof claim === "string") addSubdomain(errors, claim, field);
  });
}

/** A list of addresses: its path, and its Go type. */
interface AddressList {
  readonly path: string;
  readonly type: "[]core.PodIP" | "[]core.HostIP";
}

const podAddresses: AddressList = { path: "status.podIPs", type: "[]core.PodIP" };
const hostAddresses: AddressList = { path: "status.hostIPs", type: "[]core.HostIP" };

function ipsAt(status: JsonObject, list: string): readonly string[] {
  return listAt(status, list).map((address) => textAt(address, "ip"));
}

/** Allows one address per family, and no duplicates. */
function addAddresses(
  errors: Findings,
  addresses: readonly JsonObject[],
  list: AddressList,
  rules: AddressRules,
): void {
  const { path, type } = list;
  const texts = addresses.map((address) => textAt(address, "ip"));
  texts.forEach((text, i) => {
    addIpErrors(errors, text, index(path, i), rules);
  });
  if (addresses.length < 2) return;
  const one = type === "[]core.PodIP" ? "core.PodIP" : "core.HostIP";
  const isRepeated = repeats(texts);
  const addDuplicates = (): void => {
    addresses.forEach((address, i) => {
      if (isRepeated[i]) errors.push(fieldDuplicate(index(path, i), typedValue(one, address)));
    });
  };
  // Upstream reports the duplicates of one list first and those of the other list last.
  if (type === "[]core.HostIP") addDuplicates();
  addFamilies(errors, texts, addresses, list);
  if (type !== "[]core.HostIP") addDuplicates();
}

function addFamilies(
  errors: Findings,
  texts: readonly string[],
  addresses: readonly JsonObject[],
  { path, type }: AddressList,
): void {
  const families = texts.map((text) => parseIp(text)?.length);
  const at = families.indexOf(undefined);
  if (at >= 0) {
    const problem = `invalid IP[${at}]: ${texts[at]}`;
    errors.push(fieldInternal(path, `failed to check for dual stack with error:${problem}`));
  }
  const isDualStack = at < 0 && families.includes(4) && families.includes(16);
  if (isDualStack && addresses.length <= 2) return;
  const detail = "may specify no more than one IP for each IP family";
  errors.push(fieldInvalid(path, typedValue(type, [...addresses]), detail));
}

function addHostAddresses(errors: Findings, status: JsonObject, rules: AddressRules): void {
  const addresses = listAt(status, "hostIPs");
  const [first] = addresses;
  if (first === undefined) return;
  const ip = textAt(first, "ip");
  if (textAt(status, "hostIP") !== ip) {
    errors.push(fieldInvalid("status.hostIPs[0].ip", ip, "must be equal to `hostIP`"));
  }
  addAddresses(errors, addresses, hostAddresses, rules);
}

function addUsers(errors: Findings, status: JsonObject, os: string): void {
  for (const list of ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"]) {
    listAt(status, list).forEach((container, i) => {
      const linux = objectAt(container, "user", "linux");
      const field = child(index(child("status", list), i), "linux");
      if (linux === undefined) return;
      if (os === "windows") errors.push(fieldForbidden(field, "cannot be set for a windows pod"));
      else addLinuxUser(errors, linux, field);
    });
  }
}

function addLinuxUser(errors: Findings, user: JsonObject, path: string): void {
  addId(errors, user["uid"], child(path, "uid"));
  addId(errors, user["gid"], child(path, "gid"));
  const groups = user["supplementalGroups"];
  if (!Array.isArray(groups)) return;
  groups.forEach((group, i) => {
    addId(errors, group, index(child(path, "supplementalGroups"), i));
  });
}
