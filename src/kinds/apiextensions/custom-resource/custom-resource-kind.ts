import { listAt, objectAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { formatGroupVersion } from "../../../apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { type Release, sinceOf } from "../../../apimachinery/release.ts";
import { fieldLabelNotSupported } from "../../../apimachinery/selectors/field-labels.ts";
import type { ApiResource, ApiSubresource } from "../../../catalog/api-resource.ts";
import type { Catalog } from "../../../catalog/catalog.ts";
import { objectMetaOf } from "../../../catalog/object-meta-of.ts";
import type { ResourceFacts } from "../../../catalog/resource-facts.ts";
import type { StructSchema } from "../../../catalog/type-schema.ts";
import type { Printer } from "../../../codec/tables/printer.ts";
import type {
  KindDefinition,
  LoadPrinter,
  VersionRules,
} from "../../../registry/contract/kind-definition.ts";
import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { builtInSchema } from "../../../schema/built-in-schema.ts";
import { CustomResourceSchema } from "../../../schema/custom-resource-schema.ts";
import type { DeclaredVersion } from "../../../served/served-kind.ts";
import { rememberedByPart } from "../../../sharing/remembered-by-part.ts";
import { isConditionTrue } from "../custom-resource-definition/conditions.ts";
import { type CodecSource, customResourceCodec } from "./custom-resource-codec.ts";
import { customResourceScale } from "./custom-resource-scale.ts";
import {
  customResourceStatusStrategy,
  customResourceStrategy,
  type ResourceRules,
  whileNotTerminating,
} from "./custom-resource-strategy.ts";
import { deprecationWarningOf } from "./deprecated-version.ts";
import { printerColumns } from "./printer-columns.ts";

const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const subresourceVerbs = ["get", "patch", "update"];

/** One version of a definition, with what a definition of v1beta1 says for all versions. */
interface VersionSource {
  readonly name: string;
  readonly version: JsonObject;
  readonly schema: CustomResourceSchema;
  readonly release: Release;
}

/**
 * The kind that a definition declares; undefined until it is established. The kind is the same one for as long as the spec
 * and the accepted names stay, because servers keep data of a resource.
 */
export function customResourceKinds(
  catalog: Catalog,
): (definition: KubeObject) => KindDefinition | undefined {
  const objectMeta = objectMetaOf(catalog);
  const { release } = catalog;
  let made = 0;
  const kindOf = rememberedByPart(
    (spec: JsonObject, names: JsonObject): KindDefinition => ({
      ...customResourceKind(spec, names, { objectMeta, release }),
      encodings: `definition ${++made}`,
    }),
    (before, now) => jsonEqual(before, now),
  );
  return (definition) => {
    if (!isConditionTrue(definition, "Established")) return undefined;
    return kindOf(structAt(definition, "spec"), structAt(definition, "status", "acceptedNames"));
  };
}

/** What custom resources have of the release. */
interface ReleaseFacts {
  readonly objectMeta: StructSchema;
  readonly release: Release;
}

function customResourceKind(
  spec: JsonObject,
  names: JsonObject,
  { objectMeta, release }: ReleaseFacts,
): KindDefinition {
  const group = textAt(spec, "group");
  const preserveUnknownFields = spec["preserveUnknownFields"] === true;
  const since = sinceOf(release);
  const sources = listAt(spec, "versions").map((one): VersionSource => {
    const version = { ...sharedBy(spec), ...one };
    const openApiSchema = objectAt(version, "schema", "openAPIV3Schema");
    const type = { from: "openApi", openApiSchema, preserveUnknownFields, objectMeta } as const;
    const schema = new CustomResourceSchema(type, since);
    return { name: textAt(one, "name"), version, schema, release };
  });
  const stored = sources.find(({ version }) => version["storage"] === true) ?? sources[0];
  const resource = textAt(spec, "names", "plural");
  const kind = textAt(names, "kind");
  const codecSource: CodecSource = {
    group,
    resource,
    kind,
    storageVersion: stored?.name ?? "",
    conversion: structAt(spec, "conversion"),
    schemas: new Map(sources.map(({ name, schema }) => [name, schema])),
  };
  return {
    group,
    resource,
    kind,
    served: {
      storageVersion: stored?.name ?? "",
      versions: sources.map((source) => declaredVersion(source, sources, spec, names)),
    },
    fieldSelectors: { unsupported: fieldLabelNotSupported },
    printer: printersOf(sources, objectMeta),
    codecOf: (version, environment) => customResourceCodec(codecSource, version, environment),
    rules: async () => ({
      ...(stored && {
        strategy: (base, environment) => storedStrategy(base, rulesOf(stored, spec, names), environment),
      }),
      versions: Object.fromEntries(
        sources.map((source): readonly [string, VersionRules] => [
          formatGroupVersion({ group, version: source.name }),
          {
            strategy: (base, facts) => customResourceStrategy(base, rulesOf(source, spec, names), facts),
          },
        ]),
      ),
      subresources: stored === undefined ? {} : subresourceRules(stored, sources, spec, names),
    }),
  };
}

/** The printers of the versions, each made when a Table first needs it. */
function printersOf(sources: readonly VersionSource[], objectMeta: StructSchema): LoadPrinter {
  const printers = new Map<string, Printer>();
  return async (name) => {
    const source = sources.find((one) => one.name === name);
    const made = printers.get(name);
    if (source === undefined || made !== undefined) return made;
    const { customResourcePrinter } = await import("./custom-resource-printer.ts");
    const printer = customResourcePrinter(printerColumns(source.version), builtInSchema(objectMeta));
    printers.set(name, printer);
    return printer;
  };
}

function storedStrategy(base: Strategy, rules: ResourceRules, environment: StrategyEnvironment): Strategy {
  return whileNotTerminating(customResourceStrategy(base, rules, environment), rules, environment.lister);
}

/** The fields that a definition of v1beta1 states once for all versions. */
function sharedBy({ validation, subresources, additionalPrinterColumns }: JsonObject): JsonObject {
  return {
    ...(isJsonObject(validation) && { schema: validation }),
    ...(isJsonObject(subresources) && { subresources }),
    ...(Array.isArray(additionalPrinterColumns) && { additionalPrinterColumns }),
  };
}

function rulesOf(
  { name, version, schema, release }: VersionSource,
  spec: JsonObject,
  names: JsonObject,
): ResourceRules {
  const group = textAt(spec, "group");
  return {
    gvk: { group, version: name, kind: textAt(names, "kind") },
    definition: `${textAt(spec, "names", "plural")}.${group}`,
    resource: textAt(spec, "names", "plural"),
    schema,
    release,
    hasStatus: objectAt(version, "subresources", "status") !== undefined,
    scale: objectAt(version, "subresources", "scale"),
  };
}

function subresourceRules(
  stored: VersionSource,
  sources: readonly VersionSource[],
  spec: JsonObject,
  names: JsonObject,
): NonNullable<Awaited<ReturnType<NonNullable<KindDefinition["rules"]>>>["subresources"]> {
  const group = textAt(spec, "group");
  const scale = objectAt(stored.version, "subresources", "scale");
  const statusOf = (source: VersionSource) => ({
    [source.name]: customResourceStatusStrategy(rulesOf(source, spec, names)),
  });
  return {
    status: { versions: Object.assign({}, ...sources.map(statusOf)) },
    ...(scale && {
      scale: {
        rest: customResourceScale(
          scale,
          sources.map(({ name }) => formatGroupVersion({ group, version: name })),
        ),
      },
    }),
  };
}

function declaredVersion(
  source: VersionSource,
  all: readonly VersionSource[],
  spec: JsonObject,
  names: JsonObject,
): DeclaredVersion {
  const { name, version, schema } = source;
  const group = textAt(spec, "group");
  const kind = textAt(names, "kind");
  const warning = deprecationWarningOf(
    version,
    all.map((one) => one.version),
    { group, kind },
  );
  const resource: ApiResource = {
    group,
    version: name,
    resource: textAt(spec, "names", "plural"),
    kind,
    singular: textAt(names, "singular"),
    namespaced: spec["scope"] === "Namespaced",
    verbs,
    shortNames: textsAt(names, "shortNames"),
    categories: textsAt(names, "categories"),
    subresources: subresourcesOf(version, { group, version: name, kind }),
    lifecycle: { introduced: "1.16", deprecated: undefined, removed: undefined, replacement: undefined },
    ...(warning !== undefined && { deprecationWarning: warning }),
  };
  return { resource, schema, facts: factsOf(resource, version), isServed: version["served"] === true };
}

function subresourcesOf(
  version: JsonObject,
  gvk: ApiSubresource["gvk"],
): ReadonlyMap<string, ApiSubresource> {
  const declared = structAt(version, "subresources");
  const subresources = new Map<string, ApiSubresource>();
  const add = (name: string, of: ApiSubresource["gvk"]) =>
    subresources.set(name, { name, gvk: of, verbs: subresourceVerbs, connect: [] });
  if (objectAt(declared, "status") !== undefined) add("status", gvk);
  if (objectAt(declared, "scale") !== undefined) {
    add("scale", { group: "autoscaling", version: "v1", kind: "Scale" });
  }
  return subresources;
}

function factsOf(
  { group, resource, namespaced, subresources }: ApiResource,
  version: JsonObject,
): ResourceFacts {
  const selectable = listAt(version, "selectableFields").map((field) =>
    textAt(field, "jsonPath").replace(/^\./, ""),
  );
  return {
    storagePrefix: `/registry/${group}/${resource}`,
    fieldSelectors: ["metadata.name", ...(namespaced ? ["metadata.namespace"] : []), ...selectable],
    resetFields: new Map([
      ["main", subresources.has("status") ? ["status"] : []],
      ["status", ["spec"]],
    ]),
    createOnUpdate: false,
    unconditionalUpdate: false,
    deleteReturnsObject: false,
  };
}
