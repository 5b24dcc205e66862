import { DecodeError } from "../apimachinery/decode-error.ts";
import { badRequest, conflict } from "../apimachinery/errors.ts";
import { textAt } from "../apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../apimachinery/json.ts";
import { plainJson } from "../apimachinery/parsed-json.ts";
import { strictWarnings } from "../codec/strict-warnings.ts";
import type { FieldManager } from "../patch/apply/field-manager.ts";
import type { PatchMechanism } from "./patch-mechanism.ts";
import type { Patching } from "./patched-object.ts";

/** Who applies, and whether fields of others are taken. */
export interface Applying {
  readonly fields: FieldManager;
  readonly manager: string;
  readonly force: boolean;
}

/** Server-side apply: the body is what its manager wants, and what it wants no more goes. */
export async function applyMechanism(
  body: Uint8Array,
  patching: Patching,
  { fields, manager, force }: Applying,
): Promise<PatchMechanism> {
  const config = await parseConfig(body, patching);
  return {
    patch: (current) => fields.apply(current, config, manager, force),
    create: () => {
      checkUid(config, patching);
      return fields.apply(undefined, config, manager, force);
    },
  };
}

/** @throws {StatusError} badRequest for a body that is no YAML object, or repeats keys where that is refused */
async function parseConfig(body: Uint8Array, { fieldValidation, context }: Patching): Promise<JsonObject> {
  const { readYaml } = await import("../codec/yaml.ts");
  try {
    const { value, strictErrors } = readYaml(body);
    if (strictErrors.length > 0 && fieldValidation === "Strict") {
      throw badRequest(
        `error strict decoding YAML: error converting YAML to JSON: ${strictErrors.join("\n")}`,
      );
    }
    if (fieldValidation === "Warn") for (const text of strictWarnings(strictErrors)) context.warn(text);
    const config = plainJson(value) ?? {};
    if (isJsonObject(config)) return config;
    const kind = Array.isArray(config) ? "array" : typeof config;
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${kind} into Go ` +
        "value of type map[string]interface {}",
    );
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
  }
}

/** A configuration that means an object which is there does not make another one. */
function checkUid(config: JsonObject, { scope, context }: Patching): void {
  const uid = textAt(config, "metadata", "uid");
  if (uid === "") return;
  const text = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflict(scope.rest.definition.groupResource, context.info.name, text);
}
