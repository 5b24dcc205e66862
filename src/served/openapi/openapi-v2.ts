import type { JsonObject, MutableJsonObject } from "../../apimachinery/json.ts";
import { sinceOf } from "../../apimachinery/release.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { OpenApiDefinitions, type OpenApiEnums, type OpenApiType } from "./openapi-definitions.ts";
import { compare } from "./openapi-names.ts";
import type { OpenApiOperation } from "./openapi-operation.ts";
import type { OpenApiParameter } from "./openapi-parameters.ts";
import { operationExtensions, type PathDialect, pathsOf, responsesOf } from "./openapi-paths.ts";

/** The Swagger 2.0 document of the operations and the definitions that they need. */
export function swagger(
  catalog: Catalog,
  operations: readonly OpenApiOperation[],
  info: JsonObject,
  enums: OpenApiEnums,
): JsonObject {
  const definitions = new OpenApiDefinitions(catalog, "v2", enums);
  const roots = new Set<string>();
  const parameters = new SharedParameters(sinceOf(catalog.release)("1.28"));
  const paths = pathsOf(
    operations,
    pathDialect(parameters, (type) => definitions.schemaOf(type, roots)),
  );
  return {
    swagger: "2.0",
    info,
    paths,
    definitions: definitions.closure(roots),
    ...parameters.document(),
    securityDefinitions: {
      BearerToken: {
        description: "Bearer Token authentication",
        type: "apiKey",
        name: "authorization",
        in: "header",
      },
    },
    security: [{ BearerToken: [] }],
  };
}

function pathDialect(shared: SharedParameters, schemaOf: (type: OpenApiType) => JsonObject): PathDialect {
  return {
    parameter: (parameter) => shared.refer(writeParameter(parameter), isShareable(parameter)),
    operation(operation, parameters) {
      const { body, consumes, produces, description, operationId, responses, tag } = operation;
      const written = parameters.map((parameter) => this.parameter(parameter));
      if (body !== undefined) {
        const { type, required } = body;
        const bodyParameter = {
          name: "body",
          in: "body",
          ...(required && { required }),
          schema: schemaOf(type),
        };
        const place = parameters.findIndex(({ name }) => name > "body");
        const reference = shared.refer(bodyParameter, type.gv.group === "meta");
        written.splice(place < 0 ? written.length : place, 0, reference);
      }
      return {
        description,
        ...(consumes.length > 0 && { consumes }),
        ...(produces.length > 0 && { produces }),
        schemes: ["https"],
        tags: [tag],
        operationId,
        ...(written.length > 0 && { parameters: written }),
        responses: responsesOf(responses, (response) => ({
          description: response.description,
          ...(response.type && { schema: schemaOf(response.type) }),
        })),
        ...operationExtensions(operation),
      };
    },
  };
}

/** The keys are in upstream's order, because the name of a shared parameter contains a hash of them. */
function writeParameter({ name, in: place, type, description }: OpenApiParameter): JsonObject {
  const required = place === "path";
  return { uniqueItems: true, type, description, name, in: place, ...(required && { required }) };
}

/** Older versions of kubectl search the operations for the last two; the description of a name contains its kind. */
function isShareable({ name }: OpenApiParameter): boolean {
  return name !== "name" && name !== "dryRun" && name !== "fieldValidation";
}

/** The parameters that operations refer to, as in servers since 1.28. */
class SharedParameters {
  readonly #isOn: boolean;
  readonly #names = new Map<string, string>();
  readonly #parameters = new Map<string, JsonObject>();

  constructor(isOn: boolean) {
    this.#isOn = isOn;
  }

  /** The parameter, or a reference to it. */
  refer(parameter: JsonObject, isShareable: boolean): JsonObject {
    if (!this.#isOn || !isShareable) return parameter;
    const text = JSON.stringify(parameter);
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `${parameter.name}-${hash(text)}`;
      this.#names.set(text, name);
      this.#parameters.set(name, parameter);
    }
    return { $ref: `#/parameters/${name}` };
  }

  document(): JsonObject | undefined {
    if (this.#parameters.size === 0) return undefined;
    const parameters: MutableJsonObject = {};
    for (const [name, parameter] of [...this.#parameters].sort(([a], [b]) => compare(a, b))) {
      parameters[name] = parameter;
    }
    return { parameters };
  }
}

/** The first six bytes of the 64-bit FNV-1 hash in URL-safe base64, which upstream uses in the names of shared parameters. */
export function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    value = BigInt.asUintN(64, value * 0x100000001b3n) ^ BigInt(byte);
  }
  const bytes = Array.from({ length: 6 }, (_, index) => Number((value >> BigInt(56 - 8 * index)) & 0xffn));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
