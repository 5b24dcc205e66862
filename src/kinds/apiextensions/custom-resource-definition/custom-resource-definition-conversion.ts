import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type MutableJsonObject } from "../../../apimachinery/json.ts";
import type { OwnConversion } from "../../../registry/contract/own-conversion.ts";
import { checkBetaSpec } from "./beta-spec-validation.ts";
import { internalSpec } from "./internal-definition.ts";

/**
 * v1beta1 of a stored v1, which has the fields of the internal version: what all versions have in common stands above them.
 * Upstream: apiextensions-apiserver, pkg/apis/apiextensions/v1/conversion.go.
 */
export const customResourceDefinitionV1beta1: OwnConversion = {
  fromStored: (definition) => {
    if (objectAt(definition, "spec") === undefined) return definition;
    const { selectableFields: _, ...spec } = internalSpec(definition);
    return { ...definition, spec: withColumns({ preserveUnknownFields: false, ...spec }, betaColumn) };
  },
  toStored: (definition) => {
    const spec = objectAt(definition, "spec");
    if (spec === undefined) return definition;
    checkBetaSpec(textAt(definition.metadata, "name"), spec);
    return { ...definition, spec: withColumns(specOfBeta(spec), stableColumn) };
  },
};

/** The spec with the columns of all its parts in another form. */
function withColumns(spec: JsonObject, form: (column: JsonObject) => JsonObject): JsonObject {
  const inForm = (part: JsonObject): JsonObject =>
    Array.isArray(part["additionalPrinterColumns"])
      ? { ...part, additionalPrinterColumns: listAt(part, "additionalPrinterColumns").map(form) }
      : part;
  if (!Array.isArray(spec["versions"])) return inForm(spec);
  return { ...inForm(spec), versions: listAt(spec, "versions").map(inForm) };
}

function betaColumn({ jsonPath, ...column }: JsonObject): JsonObject {
  return { ...column, JSONPath: jsonPath ?? "" };
}

function stableColumn({ JSONPath, ...column }: JsonObject): JsonObject {
  return { ...column, jsonPath: JSONPath ?? "" };
}

function specOfBeta(beta: JsonObject): JsonObject {
  const { version: _, validation, subresources, additionalPrinterColumns, conversion, ...spec } = beta;
  const shared: JsonObject = {
    ...(isJsonObject(validation) && { schema: validation }),
    ...(isJsonObject(subresources) && { subresources }),
    ...(Array.isArray(additionalPrinterColumns) && { additionalPrinterColumns }),
  };
  return {
    ...spec,
    versions: listAt(beta, "versions").map((version) => ({ ...version, ...shared })),
    ...(isJsonObject(conversion) && { conversion: conversionOfBeta(conversion) }),
    preserveUnknownFields: beta["preserveUnknownFields"] === true,
  };
}

function conversionOfBeta(beta: JsonObject): JsonObject {
  const { webhookClientConfig, conversionReviewVersions, ...conversion } = beta;
  const webhook: MutableJsonObject = {};
  if (isJsonObject(webhookClientConfig)) webhook["clientConfig"] = webhookClientConfig;
  if (Array.isArray(conversionReviewVersions)) webhook["conversionReviewVersions"] = conversionReviewVersions;
  return Object.keys(webhook).length === 0 ? conversion : { ...conversion, webhook };
}
