import { formatGroupVersion, type GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { ApiResource, ApiSubresource } from "../../catalog/api-resource.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { encodedForms } from "../../codec/encoded-forms.ts";
import { customFormats, type Formats, formatsOf } from "../../codec/media-types/formats.ts";
import { type FieldSelectorRules, fieldSelectorsOf } from "../../registry/contract/field-selectors.ts";
import type { KindDefinition } from "../../registry/contract/kind-definition.ts";
import type { Kinds } from "../../registry/kinds.ts";
import type { ResourceRegistry } from "../../registry/resource-registry.ts";
import type { ServedApi } from "../../served/served-api.ts";
import { type ConversionOf, conversionBetween, conversionOfCodec } from "./conversion.ts";
import type { ResourceScope } from "./scope.ts";
import { selfLinksOf, withSelfLinks } from "./self-link.ts";

/**
 * The scopes of a server, created on first use. They are cached under the object that describes the resource, which is
 * another object if the resource changes.
 */
export class ResourceScopes {
  readonly #served: ServedApi;
  readonly #registry: ResourceRegistry;
  readonly #kinds: Kinds;
  readonly #gates: FeatureGates;
  readonly #formats: Formats;
  readonly #customFormats: Formats;
  readonly #scopes = new WeakMap<ApiResource | ApiSubresource, ResourceScope | undefined>();

  constructor(served: ServedApi, registry: ResourceRegistry, kinds: Kinds, gates: FeatureGates) {
    this.#served = served;
    this.#registry = registry;
    this.#kinds = kinds;
    this.#gates = gates;
    this.#formats = formatsOf(gates);
    this.#customFormats = customFormats(this.#formats);
  }

  /** Undefined if the registry has no verbs for the resource. */
  of(resource: ApiResource, subresource: ApiSubresource | undefined): ResourceScope | undefined {
    const key = subresource ?? resource;
    const known = this.#scopes.get(key);
    if (known !== undefined || this.#scopes.has(key)) return known;
    const made = this.#make(resource, subresource);
    this.#scopes.set(key, made);
    return made;
  }

  #make(resource: ApiResource, subresource: ApiSubresource | undefined): ResourceScope | undefined {
    const view = this.#served.current;
    const definition = this.#kinds.definitionOf(resource);
    const rest = this.#registry.rest(resource, subresource?.name ?? "");
    const gvk = subresource?.gvk ?? gvkOf(resource);
    const schema = view.kind(gvk);
    if (rest === undefined || schema === undefined) return undefined;
    const subresourceRules = () =>
      subresource && this.#kinds.rulesOf(definition).subresources?.[subresource.name];
    const isOwnKind = gvk.kind === resource.kind;
    const { codec } = isOwnKind ? rest : {};
    const conversionOf: ConversionOf = (to) => {
      if (codec !== undefined) return codec;
      return isOwnKind
        ? this.#kinds.rulesOf(definition).versions?.[formatGroupVersion(to)]?.conversions?.[
            formatGroupVersion(rest.definition.gvk)
          ]
        : undefined;
    };
    const conversion = conversionBetween(rest.definition, { gvk, schema }, conversionOf);
    const storedConversion = codec === undefined ? conversion : conversionOfCodec(codec);
    const selfLinkOf = selfLinksOf(resource, subresource, this.#gates);
    return {
      resource,
      subresource,
      rest,
      formats: schema.type.from === "openApi" ? this.#customFormats : this.#formats,
      gates: this.#gates,
      conversionOf,
      ownedFields: subresourceRules()?.ownedFields,
      defaultsOf: (of) => {
        const version = formatGroupVersion(of);
        return isOwnKind
          ? this.#kinds.rulesOf(definition).versions?.[version]?.defaults
          : subresourceRules()?.defaults?.[version];
      },
      tracksFields:
        rest.create !== undefined ||
        (rest.update !== undefined && (gvk.kind === resource.kind || gvk.kind === "Scale")),
      gvk,
      // The objects of a subresource have other links than those of the resource.
      forms: encodedForms(gvk, definition?.encodings ?? (selfLinkOf && subresource?.name)),
      schema,
      listSchema: view.kind({ ...gvk, kind: `${gvk.kind}List` }),
      fieldSelectors: fieldSelectorsOf(
        selectorRules(definition, resource.group),
        view.facts(resource).fieldSelectors,
      ),
      completeSpecs: new WeakSet(),
      conversion,
      storedConversion,
      loadPrinter: async () => definition?.printer?.(resource.version, this.#gates),
      shownConversion: withSelfLinks(storedConversion, selfLinkOf),
      selfLinkOf,
    };
  }
}

function gvkOf({ group, version, kind }: ApiResource): GroupVersionKind {
  return { group, version, kind };
}

/** A group that serves the objects of another group may have its own field labels. */
function selectorRules(definition: KindDefinition | undefined, group: string): FieldSelectorRules {
  const rules = definition?.fieldSelectors ?? {};
  const aliases = definition?.cohabitants?.[group]?.fieldAliases;
  return aliases === undefined ? rules : { ...rules, aliases };
}
