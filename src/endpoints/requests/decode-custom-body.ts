import { badRequest, invalid, type StatusError } from "../../apimachinery/errors/errors.ts";
import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import { textAt } from "../../apimachinery/fields.ts";
import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { DecodeTarget } from "../../codec/decode.ts";
import type { MediaType } from "../../codec/media-types/output-format.ts";
import { bytesOfContent, type RequestContent } from "../../codec/media-types/request-body.ts";
import type { FieldValidation } from "../../patch/field-validation.ts";
import { schemaWithoutDefinition } from "../../schema/custom-resource-schema.ts";
import type { KindSchema, PublishedType } from "../../schema/kind-schema.ts";
import type { ApiView } from "../../served/api-view.ts";
import { defaultedObject } from "../contract/defaulted-object.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { checkVersion, decodeAs, summarize, validateFields } from "./body-decoding.ts";

/**
 * Decodes the custom resource of a POST or PUT. It must state its type; the fields of another version are read by the schema
 * of that version. Upstream: apiextensions-apiserver, pkg/apiserver/customresource_handler.go, schemaCoercingDecoder.
 * @throws {StatusError} badRequest, or invalid for another kind
 */
export async function decodeCustomBody(
  content: RequestContent,
  mediaType: MediaType,
  fieldValidation: FieldValidation,
  scope: ResourceScope,
  { objectMeta }: PublishedType,
  context: ResourceContext,
  view: ApiView,
): Promise<MutableKubeObject> {
  const { gvk: expected } = scope;
  const schemaOf = (gvk: GroupVersionKind): KindSchema => {
    if (gvk.group !== expected.group || gvk.kind !== expected.kind) {
      return schemaWithoutDefinition(objectMeta, "kept");
    }
    return view.kind(gvk) ?? schemaWithoutDefinition(objectMeta, "dropped");
  };
  const target: DecodeTarget = { defaults: unstated, schemaOf, schemeName: "" };
  const decoded = await decodeAs(content, mediaType, target, expected);
  const { gvk, object } = decoded;
  if (gvk.kind === "") throw kindMissing(bytesOfContent(content), expected);
  validateFields(decoded, fieldValidation, scope, context);
  checkVersion({ ...gvk, kind: expected.kind }, scope);
  if (gvk.kind !== expected.kind) {
    const detail = `must be ${expected.kind}`;
    const sent = { group: expected.group, kind: gvk.kind };
    throw invalid(sent, textAt(object, "metadata", "name"), [fieldInvalid("kind", gvk.kind, detail)]);
  }
  return defaultedObject(object, expected, scope);
}

const unstated: GroupVersionKind = { group: "", version: "", kind: "" };

function kindMissing(bytes: Uint8Array, { kind }: GroupVersionKind): StatusError {
  const text = new TextDecoder().decode(bytes);
  const problem = `Object 'Kind' is missing in '${text}'`;
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${problem} (${summarize(bytes)})`,
  );
}
