import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, addSubdomain, type Findings } from "../../../apimachinery/validation/findings.ts";
import { formatError, tooLong } from "../../../apimachinery/validation/format-messages.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addIpErrors } from "../../addresses/address-validation.ts";
import { expandedSearches, fewSearches, searchListLength } from "./dns-searches.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";

const maxNameservers = 3;

const label = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const underscoredName = `${label}(\\.${label})*`;
const underscoredNameRegExp = new RegExp(`^${underscoredName}$`);
const plainLabel = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const plainName = `${plainLabel}(\\.${plainLabel})*`;

/** Validates the DNS policy and configuration of a pod. */
export function addDnsConfig(
  errors: Findings,
  spec: JsonObject,
  path: string,
  options: PodValidationOptions,
): void {
  const config = objectAt(spec, "dnsConfig");
  const nameservers = config === undefined ? [] : textsAt(config, "nameservers");
  if (spec["dnsPolicy"] === "None" && nameservers.length === 0) {
    errors.push(missing(config, path));
    return;
  }
  if (config === undefined) return;
  if (nameservers.length > maxNameservers) {
    const detail = `must not have more than ${maxNameservers} nameservers`;
    errors.push(fieldInvalid(child(path, "nameservers"), go.stringSlice(nameservers), detail));
  }
  nameservers.forEach((address, i) => {
    addIpErrors(errors, address, index(child(path, "nameservers"), i), options.addresses);
  });
  addSearches(errors, textsAt(config, "searches"), child(path, "searches"), options);
  listAt(config, "options").forEach((option, i) => {
    if (textAt(option, "name")) return;
    errors.push(fieldRequired(index(child(path, "options"), i), "must not be empty"));
  });
}

function missing(config: JsonObject | undefined, path: string): ReturnType<typeof fieldRequired> {
  if (config === undefined) return fieldRequired(path, "must provide `dnsConfig` when `dnsPolicy` is None");
  const detail = "must provide at least one DNS nameserver when `dnsPolicy` is None";
  return fieldRequired(child(path, "nameservers"), detail);
}

function addSearches(
  errors: Findings,
  searches: readonly string[],
  path: string,
  options: PodValidationOptions,
): void {
  const { paths, characters } = options.allowsExpandedSearches ? expandedSearches : fewSearches;
  if (searches.length > paths) {
    const detail = `must not have more than ${paths} search paths`;
    errors.push(fieldInvalid(path, go.stringSlice(searches), detail));
  }
  if (searchListLength(searches) > characters) {
    const detail = `must not have more than ${characters} characters (including spaces) in the search list`;
    errors.push(fieldInvalid(path, go.stringSlice(searches), detail));
  }
  searches.forEach((search, i) => {
    if (search === "." && options.allowsRelaxedSearches) return;
    const name = search.replace(/\.$/, "");
    if (!options.allowsRelaxedSearches) addSubdomain(errors, name, index(path, i));
    else addInvalid(errors, index(path, i), name, underscoredNameMessages(name, options.gates));
  });
}

/** Before 1.34, the message shows the expression for names without underscores. */
function underscoredNameMessages(name: string, { since }: FeatureGates): readonly string[] {
  const errors = tooLong(name, 253);
  if (name.length <= 253 && underscoredNameRegExp.test(name)) return errors;
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
  const expression = since("1.34") ? underscoredName : plainName;
  return [...errors, formatError(rule, expression, ["example.com"])];
}

/** Validates the host aliases of a pod. */
export function addHostAliases(
  errors: Findings,
  spec: JsonObject,
  path: string,
  { addresses }: PodValidationOptions,
): void {
  listAt(spec, "hostAliases").forEach((alias, i) => {
    const at = index(path, i);
    const address = textAt(alias, "ip");
    addIpErrors(errors, address, child(at, "ip"), addresses);
    textsAt(alias, "hostnames").forEach((name, j) => {
      addSubdomain(errors, name, index(child(at, "hostnames"), j));
    });
  });
}
