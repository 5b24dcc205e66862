import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { MutatingAttributes } from "../contract/admission.ts";
import type { ObjectInterfaces, ObjectVersion } from "../contract/object-interfaces.ts";
import type { RequestVariables } from "../expressions/activation.ts";
import { replaceContent } from "../matching/object-content.ts";
import type { RequestObjects } from "./request-objects.ts";

/**
 * The object of a request in the versions in which policies see it. A mutation counts for the policies that see the same version; the
 * object of the last policy is the one that is written. Upstream: apiserver, plugin/policy/mutating/dispatcher.go, dispatchInvocations.
 */
export class MutatedVersions {
  readonly #objects: RequestObjects;
  readonly #interfaces: ObjectInterfaces;
  /** What mutations made of the object, by the variables that show it; undefined if a mutation left it as it is. */
  readonly #made = new Map<RequestVariables, MutableKubeObject | undefined>();
  #last: ObjectVersion | undefined;

  constructor(objects: RequestObjects, interfaces: ObjectInterfaces) {
    this.#objects = objects;
    this.#interfaces = interfaces;
  }

  /** A policy sees the object in this version. */
  async visit(version: ObjectVersion): Promise<RequestVariables> {
    this.#last = version;
    return this.#objects.variablesIn(version);
  }

  /** A mutation replaces the object with one that has no defaults yet; undefined leaves it as it is. */
  async replace(variables: RequestVariables, made: MutableKubeObject | undefined): Promise<void> {
    if (made === undefined) {
      this.#made.set(variables, this.#made.get(variables));
      return;
    }
    const { version } = variables.objects;
    this.#interfaces.setDefaults(made, version);
    const [shown] = await this.#interfaces.convert([made], version, version, "decoded");
    if (shown !== undefined) this.#made.set(this.#objects.replaceObject(variables, shown), made);
  }

  /** Writes the object of the last policy to the request. Whether a mutation of it succeeded, even if it changed nothing. */
  async writeTo(attributes: MutatingAttributes): Promise<boolean> {
    if (this.#last === undefined) return false;
    const variables = await this.#objects.variablesIn(this.#last);
    const made = this.#made.get(variables);
    if (made !== undefined) await replaceContent(attributes, made, this.#last, this.#interfaces);
    return this.#made.has(variables);
  }
}
