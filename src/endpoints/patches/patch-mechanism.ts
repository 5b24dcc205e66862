import type { Awaitable } from "../../apimachinery/awaitable.ts";
import {
  badRequest,
  genericServerResponse,
  plainError,
  requestEntityTooLarge,
  type StatusError,
} from "../../apimachinery/errors/errors.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { encodeJson, readJson } from "../../codec/json/json.ts";
import type { ChangeType } from "../../codec/media-types/patch-types.ts";
import { bytesOfContent, type RequestContent } from "../../codec/media-types/request-body.ts";
import { documentText } from "../../patch/document-text.ts";
import { parseJsonPatch, patchJsonText } from "../../patch/json-patch.ts";
import { applyMergePatch, parseMergePatch } from "../../patch/merge-patch.ts";
import { PatchError } from "../../patch/patch-error.ts";
import { applyStrategicMergePatch, parseStrategicMergePatch } from "../../patch/strategic-merge-patch.ts";
import { requiredStruct } from "../../schema/kind-schema.ts";
import { convertPatched, decodePatched, type Patching } from "./patched-object.ts";

/** Applies a patch to objects in the version of the endpoint. */
export interface PatchMechanism {
  /** The patched object. Called again with the newer object after a lost race. */
  readonly patch: (current: KubeObject) => Awaitable<MutableKubeObject>;
  /** The object if none exists; undefined for patches that need an existing object. */
  readonly create: (() => Awaitable<MutableKubeObject>) | undefined;
}

/** The body is parsed when the object was found, so a missing object is reported first. */
type MakeMechanism = (body: RequestContent, patching: Patching) => PatchMechanism;

const mechanisms: { readonly [type in ChangeType]: MakeMechanism } = {
  "application/json-patch+json": jsonPatch,
  "application/merge-patch+json": mergePatch,
  "application/strategic-merge-patch+json": strategicMergePatch,
};

/** The mechanism of a JSON, merge or strategic merge patch. */
export function patchMechanism(
  patchType: ChangeType,
  body: RequestContent,
  patching: Patching,
): PatchMechanism {
  return mechanisms[patchType](body, patching);
}

function jsonPatch(body: RequestContent, patching: Patching): PatchMechanism {
  const read = once(() => parseJsonPatch(bytesOfContent(body), patching.fieldValidation));
  return ofExisting((current) => {
    const { operations, strictErrors } = read();
    const text = patchJsonText(encodeJson(current), operations);
    return decodePatched(readJson(text), () => text, strictErrors, patching);
  });
}

function mergePatch(body: RequestContent, patching: Patching): PatchMechanism {
  const read = once(() => parseMergePatch(body, patching.fieldValidation));
  return ofExisting((current) => {
    const { patch, strictErrors } = read();
    const document = applyMergePatch(current, patch);
    return decodePatched(document, () => documentText(document), strictErrors, patching);
  });
}

function strategicMergePatch(body: RequestContent, patching: Patching): PatchMechanism {
  const read = once(() => parseStrategicMergePatch(body, patching.fieldValidation));
  return ofExisting((current) => {
    const { patch, strictErrors } = read();
    const merge = applyStrategicMergePatch(current, patch, requiredStruct(patching.scope.schema));
    return convertPatched(merge, strictErrors, patching);
  });
}

function ofExisting(patch: (current: KubeObject) => Awaitable<MutableKubeObject>): PatchMechanism {
  return {
    patch: (current) => {
      try {
        return patch(current);
      } catch (error) {
        throw error instanceof PatchError ? statusOf(error) : error;
      }
    },
    create: undefined,
  };
}

function statusOf({ kind, message }: PatchError): StatusError {
  switch (kind) {
    case "badRequest":
      return badRequest(message);
    case "unprocessable":
      return genericServerResponse(422);
    case "tooLarge":
      return requestEntityTooLarge(message);
    case "internal":
      return plainError(500, message);
  }
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
