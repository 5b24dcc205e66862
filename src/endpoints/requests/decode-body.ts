import { plainError } from "../../apimachinery/errors/errors.ts";
import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { BodyError, type DecodeTarget, decodeObject } from "../../codec/decode.ts";
import type { MediaType } from "../../codec/media-types/output-format.ts";
import type { RequestContent } from "../../codec/media-types/request-body.ts";
import type { FieldValidation } from "../../patch/field-validation.ts";
import { builtInKindSchema } from "../../schema/built-in-schema.ts";
import type { ApiView } from "../../served/api-view.ts";
import { defaultedObject } from "../contract/defaulted-object.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { cannotBeHandled, checkVersion, decodeAs, isSameKind, validateFields } from "./body-decoding.ts";

const kindsScheme = "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30";
const optionsScheme = "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27";

/** The code that decodes custom resources, once it is loaded: an import takes time even if it has nothing to load. */
let customBodies: typeof import("./decode-custom-body.ts") | undefined;

/**
 * Decodes the object of a POST or PUT in the version of the endpoint. Findings of field validation are errors or
 * warnings.
 * @throws {StatusError} badRequest with the actual and the expected kind
 */
export async function decodeBody(
  content: RequestContent,
  mediaType: MediaType,
  fieldValidation: FieldValidation,
  scope: ResourceScope,
  context: ResourceContext,
  { served }: EndpointEnvironment,
): Promise<MutableKubeObject> {
  const view = served.current;
  if (scope.schema.type.from === "openApi") {
    customBodies ??= await import("./decode-custom-body.ts");
    return customBodies.decodeCustomBody(
      content,
      mediaType,
      fieldValidation,
      scope,
      scope.schema.type,
      context,
      view,
    );
  }
  const decoded = await decodeAs(content, mediaType, decodeTarget(scope, view), scope.gvk);
  checkKind(decoded.gvk, scope, view);
  validateFields(decoded, fieldValidation, scope, context);
  checkVersion(decoded.gvk, scope);
  // Other accepted versions have the type of the endpoint under an older name.
  return defaultedObject(decoded.object, scope.gvk, scope);
}

/** The kinds that a body of this endpoint may have. The endpoints of built-in resources do not know declared kinds. */
export function decodeTarget(scope: ResourceScope, view: ApiView): DecodeTarget {
  return {
    defaults: scope.gvk,
    schemaOf: (gvk) => {
      if (isSameKind(gvk, scope.gvk)) return scope.schema;
      return view.isBuiltIn(scope.resource) ? builtInKindSchema(view.catalog, gvk) : view.kind(gvk);
    },
    schemeName: kindsScheme,
  };
}

/** @throws {StatusError} badRequest for another kind */
function checkKind(gvk: GroupVersionKind, scope: ResourceScope, view: ApiView): void {
  const problem = unknownConversion(gvk, scope, view);
  if (problem !== undefined) throw cannotBeHandled(gvk, scope.gvk, problem);
}

/** The error of upstream for an object of another kind; undefined for objects of the kind in any version. */
export function unknownConversion(
  gvk: GroupVersionKind,
  { gvk: expected, rest }: ResourceScope,
  view: ApiView,
): string | undefined {
  const { resource } = rest.definition.groupResource;
  const home = view.storedAs({ group: gvk.group, resource });
  const expectedHome = view.storedAs({ group: expected.group, resource });
  // Workloads had their own Scale types before autoscaling/v1.
  const isSameType = home.group === expectedHome.group || gvk.kind === "Scale";
  if (gvk.kind === expected.kind && isSameType) return undefined;
  const from = `${gvk.version}.${gvk.kind}`;
  const to = `${internalPackage(expected.group)}.${expected.kind}`;
  return `converting (${from}) to (${to}): unknown conversion`;
}

/** The Go package of a group's internal types. */
export function internalPackage(group: string): string {
  return group === "" ? "core" : (group.split(".")[0] ?? group);
}

/**
 * Decodes the DeleteOptions of a body.
 * @throws {StatusError} a plain 500, as upstream
 */
export async function decodeDeleteOptions(
  content: RequestContent,
  mediaType: MediaType,
  catalog: Catalog,
): Promise<JsonObject> {
  const defaults = { group: "meta.k8s.io", version: "v1", kind: "DeleteOptions" };
  const schemaOf = (gvk: GroupVersionKind) =>
    gvk.kind === defaults.kind ? builtInKindSchema(catalog, gvk) : undefined;
  try {
    const decoded = await decodeObject(content, mediaType, { defaults, schemaOf, schemeName: optionsScheme });
    return decoded.object;
  } catch (error) {
    throw error instanceof BodyError ? plainError(500, error.message) : error;
  }
}
