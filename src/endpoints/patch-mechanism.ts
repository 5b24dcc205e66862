import { badRequest, genericServerResponse, plainError, requestEntityTooLarge } from "../apimachinery/errors.ts";
import type { StatusError } from "../apimachinery/errors.ts";
import type { KubeObject, MutableKubeObject } from "../apimachinery/object-meta.ts";
import { encodeJson, readJson } from "../codec/json.ts";
import { documentText } from "../patch/document-text.ts";
import { parseJsonPatch, patchJsonText } from "../patch/json-patch.ts";
import { applyMergePatch, parseMergePatch } from "../patch/merge-patch.ts";
import { PatchError } from "../patch/patch-error.ts";
import { applyStrategicMergePatch, parseStrategicMergePatch } from "../patch/strategic-merge-patch.ts";
import type { PatchType } from "./patch-types.ts";
import { convertPatched, decodePatched, type PatchRequest } from "./patched-object.ts";

/** What a kind of patch does. Objects are of the endpoint's version. */
export interface PatchMechanism {
  /** The object that shall replace the current one; called again after a lost race. */
  readonly patch: (current: KubeObject) => MutableKubeObject;
  /** The object where there is none. Undefined if a patch needs one to patch. */
  readonly create: (() => MutableKubeObject) | undefined;
}
