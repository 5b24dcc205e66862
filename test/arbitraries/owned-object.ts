import {
  formatGroupVersion,
  type GroupVersionKind,
  parseGroupVersion,
} from "../../src/apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../src/apimachinery/object-meta.ts";
import { catalogOf } from "../../src/catalog/catalog.ts";
import { type ApplyKind, applyKind } from "../../src/patch/apply/apply-kind.ts";
import { allBut } from "../../src/patch/apply/field-filter.ts";
import { type FieldManager, fieldManager } from "../../src/patch/apply/field-manager.ts";
import { pathsOf } from "../../src/patch/apply/field-set.ts";
import { fieldSetOfFieldsV1 } from "../../src/patch/apply/fields-v1.ts";
import { keepTimes } from "../../src/patch/apply/keep-times.ts";
import { formatPath } from "../../src/patch/apply/path-element.ts";
import { builtInSchema } from "../../src/schema/built-in-schema.ts";
import { canonicalizeStored } from "../../src/schema/canonical.ts";
import { decodeInto } from "../../src/schema/typed-decode.ts";
import { deepFreeze } from "../../src/store/deep-freeze.ts";

/** How a kind changes objects before they are stored. */
export interface TestKind {
  readonly gvk: GroupVersionKind;
  readonly kindOf: (apiVersion: string) => ApplyKind | undefined;
  readonly convert: (object: JsonObject, apiVersion: string) => JsonObject | undefined;
  readonly complete: (object: JsonObject) => MutableKubeObject;
  readonly store: (object: MutableKubeObject) => KubeObject;
}

/** The paths of each owner: appliers by name, others as `name (Update v1)`, with their subresource. */
export type Owners = { readonly [owner: string]: readonly string[] };

interface Cell {
  live: KubeObject | undefined;
  seconds: number;
}

/** One object that is written through one endpoint at a time; a second passes before each write. */
export class OwnedObject {
  readonly #kind: TestKind;
  readonly #cell: Cell;
  readonly #manager: FieldManager;

  constructor(
    kind: TestKind,
    cell: Cell = { live: undefined, seconds: 0 },
    subresource = "",
    reset: readonly string[] = [],
  ) {
    this.#kind = kind;
    this.#cell = cell;
    this.#manager = fieldManager({
      tracksCreations: true,
      ...kind,
      subresource,
      filter: allBut(reset),
      now: () => cell.seconds * 1000,
    });
  }

  /** The same object through a subresource that resets some fields. */
  through(subresource: string, reset: readonly string[]): OwnedObject {
    return new OwnedObject(this.#kind, this.#cell, subresource, reset);
  }

  /** The same object in another version, or with a changed kind. */
  as(kind: TestKind): OwnedObject {
    return new OwnedObject(kind, this.#cell);
  }

  get live(): KubeObject {
    if (this.#cell.live === undefined) throw new Error("the object has not been written yet");
    return this.#cell.live;
  }

  get entries(): readonly JsonObject[] {
    return entriesOf(this.live);
  }

  owners(): Owners {
    return ownersOf(this.live);
  }

  apply(manager: string, config: JsonObject, how: "careful" | "forced" = "careful"): this {
    this.#cell.seconds++;
    return this.#store(this.#manager.apply(this.#cell.live, this.#complete(config), manager, how));
  }

  /** The effect of POST and PUT with a complete object. */
  write(manager: string, object: JsonObject): this {
    this.#cell.seconds++;
    const sent = this.#kind.complete(this.#complete(object));
    return this.#store(this.#manager.update(this.#cell.live, sent, manager));
  }

  /** The effect of the other patches: they replace fields of the first level, and null removes them. */
  patch(manager: string, change: JsonObject): this {
    const { live } = this;
    const changed: [string, JsonValue][] = Object.entries({ ...live, ...change });
    return this.write(manager, Object.fromEntries(changed.filter(([, value]) => value !== null)));
  }

  #complete(object: JsonObject): JsonObject {
    const { gvk } = this.#kind;
    const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
    return {
      apiVersion: formatGroupVersion(gvk),
      kind: gvk.kind,
      ...object,
      metadata: { name: "x", ...metadata },
    };
  }

  #store(object: MutableKubeObject): this {
    object.metadata.uid ??= "1";
    const stored = this.#kind.store(object);
    const { live } = this.#cell;
    this.#cell.live = deepFreeze(live === undefined ? stored : keepTimes(stored, live));
    return this;
  }
}

/** The entries of an object. */
export function entriesOf({ metadata: { managedFields } }: KubeObject): readonly JsonObject[] {
  return Array.isArray(managedFields) ? managedFields.filter(isJsonObject) : [];
}

/** The paths of each owner of an object. */
export function ownersOf(object: KubeObject): Owners {
  return Object.fromEntries(entriesOf(object).map((entry) => [ownerOf(entry), pathsOfEntry(entry)]));
}

function ownerOf({ manager, operation, apiVersion, subresource }: JsonObject): string {
  const through = subresource === undefined ? "" : ` through ${subresource}`;
  return operation === "Apply" ? `${manager}${through}` : `${manager} (Update ${apiVersion}${through})`;
}

function pathsOfEntry(entry: JsonObject): readonly string[] {
  return [...pathsOf(fieldSetOfFieldsV1(entry["fieldsV1"] ?? null))].map(formatPath);
}

/** A built-in kind of one version that is only decoded before it is stored. */
export function builtinTestKind(apiVersion: string, kind: string, release = "1.32"): TestKind {
  const gv = parseGroupVersion(apiVersion);
  const schema = gv && catalogOf({ release }).kind({ ...gv, kind });
  if (gv === undefined || schema === undefined) throw new Error(`there is no ${apiVersion} ${kind}`);
  const gvk = { ...gv, kind };
  const known = applyKind(builtInSchema(schema), gvk);
  return {
    gvk,
    kindOf: (version) => (version === apiVersion ? known : undefined),
    convert: () => undefined,
    // Configurations and canonical objects have all required fields.
    complete: (object) => decodeInto(schema, object).object as MutableKubeObject,
    store: (object) => canonicalizeStored(schema, object) as KubeObject,
  };
}

/** A built-in object. */
export function builtinObject(apiVersion: string, kind: string): OwnedObject {
  return new OwnedObject(builtinTestKind(apiVersion, kind));
}
