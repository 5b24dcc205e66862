import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotFound,
  fieldRequired,
} from "../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import { typedValue } from "../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { parseQuantity, type Quantity } from "../../apimachinery/quantity.ts";
import { compareText, sortedKeys } from "../../apimachinery/text-order.ts";
import { checkedOnce } from "../../apimachinery/validation/checked-once.ts";
import { child, index, key } from "../../apimachinery/validation/field-path.ts";
import { addLabel, type Findings } from "../../apimachinery/validation/findings.ts";
import {
  addContainerResourceName,
  allowsOvercommit,
  isHugePages,
  isIntegerResource,
  type ResourceNameValidator,
} from "./resource-names.ts";

/** The parts of the pod and the release that the validation of resources depends on. */
export interface ResourceRules {
  readonly addName: ResourceNameValidator;
  /** The names of the pod's resource claims. */
  readonly claimNames: ReadonlySet<string>;
  readonly allowsIndivisibleHugePages: boolean;
}

type Amounts = ReadonlyMap<string, Quantity>;

/** Validates the resources of a container. */
export function addContainerResources(
  errors: Findings,
  resources: JsonObject | undefined,
  path: string,
  { claimNames, allowsIndivisibleHugePages }: Omit<ResourceRules, "addName">,
): void {
  if (resources === undefined) return;
  const rules = { addName: addContainerResourceName, claimNames, allowsIndivisibleHugePages };
  addResourceRequirements(errors, resources, path, rules);
}

/**
 * Validates limits, requests and claims. Upstream's order depends on Go maps; here, names and quantities come before
 * the comparison of requests with limits.
 */
export function addResourceRequirements(
  errors: Findings,
  resources: JsonObject,
  path: string,
  rules: ResourceRules,
): void {
  addAmounts(errors, resources, path, rules);
  addClaims(errors, listAt(resources, "claims"), child(path, "claims"), rules.claimNames);
}

type AmountRules = Pick<ResourceRules, "addName" | "allowsIndivisibleHugePages">;

const addAmounts = checkedOnce(
  (errors, resources: JsonObject, path, rules: AmountRules) => {
    const limits = amountsOf(resources, "limits");
    const requests = amountsOf(resources, "requests");
    for (const [name, amount] of limits) addAmount(errors, name, amount, child(path, "limits"), rules);
    for (const [name, amount] of requests) addAmount(errors, name, amount, child(path, "requests"), rules);
    for (const [name, amount] of requests) addRequest(errors, name, amount, limits.get(name), path);
    const names = [...limits.keys(), ...requests.keys()];
    if (!names.some(isHugePages) || names.includes("cpu") || names.includes("memory")) return;
    errors.push(fieldForbidden(path, "HugePages require cpu or memory"));
  },
  ({ addName, allowsIndivisibleHugePages }) => [addName, allowsIndivisibleHugePages],
);

function amountsOf(resources: JsonObject, list: string): Amounts {
  const amounts = new Map<string, Quantity>();
  const texts = objectAt(resources, list);
  if (texts === undefined) return amounts;
  for (const name of sortedKeys(texts)) amounts.set(name, parseQuantity(textAt(texts, name)));
  return amounts;
}

function addAmount(errors: Findings, name: string, amount: Quantity, path: string, rules: AmountRules): void {
  const field = key(path, name);
  rules.addName(errors, name, field);
  addQuantity(errors, name, amount, field);
  if (!isHugePages(name) || rules.allowsIndivisibleHugePages || isDivisible(name, amount)) return;
  const detail = `${amount} is not positive integer multiple of ${name}`;
  errors.push(fieldInvalid(field, amount.toString(), detail));
}

/** Validates the quantity of a resource. */
export function addQuantity(errors: Findings, name: string, amount: Quantity, field: string): void {
  if (amount.sign < 0) {
    errors.push(fieldInvalid(field, amount.toString(), "must be greater than or equal to 0"));
  }
  if (isIntegerResource(name) && !isInteger(amount)) {
    errors.push(
      fieldInvalid(field, typedValue("resource.Quantity", amount.toString()), "must be an integer"),
    );
  }
}

function addRequest(
  errors: Findings,
  name: string,
  amount: Quantity,
  limit: Quantity | undefined,
  path: string,
): void {
  const field = child(path, "requests");
  const isFlexible = allowsOvercommit(name);
  if (limit === undefined) {
    if (isFlexible) return;
    errors.push(fieldRequired(child(path, "limits"), "Limit must be set for non overcommitable resources"));
  } else if (!isFlexible && amount.compare(limit) !== 0) {
    errors.push(fieldInvalid(field, amount.toString(), `must be equal to ${name} limit of ${limit}`));
  } else if (amount.compare(limit) > 0) {
    const detail = `must be less than or equal to ${name} limit of ${limit}`;
    errors.push(fieldInvalid(field, amount.toString(), detail));
  }
}

/** Whether a quantity is an integer, by its thousandths: upstream's overflow from 9Pi on, so that 1Ei is none. */
export function isInteger(amount: Quantity): boolean {
  return amount.milliValue() % 1000n === 0n;
}

/** Whether a quantity is a multiple of the page size in the name. */
export function isDivisible(name: string, amount: Quantity): boolean {
  const page = pageSize(name);
  return page !== undefined && amount.scaledValue(0) % page === 0n;
}

function pageSize(name: string): bigint | undefined {
  try {
    const size = parseQuantity(name.slice("hugepages-".length));
    return size.sign > 0 && isInteger(size) ? size.scaledValue(0) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Validates the claims of a container: each has to be a claim of the pod, and listed once, as a whole or by request.
 */
function addClaims(
  errors: Findings,
  claims: readonly JsonObject[],
  path: string,
  podClaims: ReadonlySet<string>,
): void {
  const taken = new Set<string>();
  claims.forEach((claim, i) => {
    const field = index(path, i);
    const name = textAt(claim, "name");
    if (name === "") {
      errors.push(fieldRequired(field));
      return;
    }
    addClaimUse(errors, name, textAt(claim, "request"), field, taken);
    if (!podClaims.has(name)) errors.push(unknownClaim(name, field, podClaims));
  });
}

function addClaimUse(
  errors: Findings,
  name: string,
  request: string,
  field: string,
  taken: Set<string>,
): void {
  if (taken.has(name)) {
    errors.push(fieldDuplicate(field, name));
    return;
  }
  const use = request === "" ? name : `${name}/${request}`;
  if (request !== "") addLabel(errors, request, child(field, "request"));
  if (taken.has(use)) errors.push(fieldDuplicate(field, use));
  else if (request === "") {
    for (const other of taken) {
      if (other.startsWith(`${name}/`)) errors.push(fieldDuplicate(field, name));
    }
  }
  taken.add(use);
}

function unknownClaim(name: string, field: string, podClaims: ReadonlySet<string>): FieldError {
  const known = podClaims.size === 0 ? " which is empty" : `: ${[...podClaims].sort(compareText).join(", ")}`;
  return fieldNotFound(field, name, `must be one of the names in pod.spec.resourceClaims${known}`);
}
