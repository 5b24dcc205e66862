import { listAt } from "../../../apimachinery/fields.ts";
import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import {
  all,
  type Defaulter,
  ifSet,
  inStruct,
  isZero,
  sentStruct,
  whenUnset,
  whenZero,
} from "../../defaulting/defaulter.ts";
import { serviceReferenceDefaults } from "../../defaulting/service-reference.ts";

const noConversion = whenUnset({ conversion: { strategy: "None" } });

/** CustomResourceDefinition of v1. */
export const customResourceDefinitionDefaults: Defaulter = all(
  inStruct(
    "spec",
    inStruct("names", derivedNames),
    noConversion,
    ifSet("conversion", ifSet("webhook", ifSet("clientConfig", serviceReferenceDefaults))),
  ),
  storedVersions,
);

/** CustomResourceDefinition of v1beta1. */
export const betaCustomResourceDefinitionDefaults: Defaulter = all(
  inStruct(
    "spec",
    whenZero({ scope: "Namespaced" }),
    inStruct("names", derivedNames),
    singleVersion,
    noConversion,
    ifSet("conversion", reviewVersions, ifSet("webhookClientConfig", serviceReferenceDefaults)),
    whenUnset({ preserveUnknownFields: true }),
  ),
  storedVersions,
);

function derivedNames(names: MutableJsonObject): void {
  const { kind } = names;
  if (typeof kind !== "string" || kind === "") return;
  names["singular"] ||= kind.toLowerCase();
  names["listKind"] ||= `${kind}List`;
}

/** `version` is the predecessor of `versions`; each is derived from the other. */
function singleVersion(spec: MutableJsonObject): void {
  const { version } = spec;
  if (isZero(spec["versions"]) && typeof version === "string" && version !== "") {
    spec["versions"] = [{ name: version, served: true, storage: true }];
  }
  const [first] = listAt(spec, "versions");
  if (isZero(version) && first !== undefined) spec["version"] = first["name"] ?? "";
}

function reviewVersions(conversion: MutableJsonObject): void {
  if (conversion["strategy"] !== "Webhook") return;
  if (isZero(conversion["conversionReviewVersions"])) conversion["conversionReviewVersions"] = ["v1beta1"];
}

function storedVersions(definition: MutableJsonObject): void {
  const spec = sentStruct(definition, "spec") ?? {};
  const storage = listAt(spec, "versions").find((version) => version["storage"] === true);
  if (storage === undefined) return;
  const status = sentStruct(definition, "status") ?? {};
  if (isZero(status["storedVersions"])) status["storedVersions"] = [storage["name"] ?? ""];
  definition["status"] = status;
}
