import type { GroupVersion } from "../src/apimachinery/group-version.ts";

/**
 * The names of types in one namespace. If several groups or versions declare a name, it belongs to the first of them in
 * the order of discovery. Other versions of the same group append theirs, `HorizontalPodAutoscalerV1`, and other groups
 * prepend theirs, `EventsEvent`.
 */
export class TypeNames {
  readonly #order: readonly GroupVersion[];
  readonly #versions = new Map<string, GroupVersion[]>();

  /** Takes the groups and versions in the order of discovery. */
  constructor(order: readonly GroupVersion[]) {
    this.#order = order;
  }

  /** Notes that a group and version declares a type. */
  add(gv: GroupVersion, name: string): void {
    const versions = this.#versions.get(name) ?? [];
    this.#versions.set(name, versions);
    versions.push(gv);
    versions.sort((a, b) => this.#rank(a) - this.#rank(b));
  }

  /** The name of a type among all types. */
  nameOf(gv: GroupVersion, name: string): string {
    const versions = this.#versions.get(name) ?? [];
    const first = versions[0] ?? gv;
    const ofGroup = versions.find(({ group }) => group === gv.group) ?? gv;
    const prefix = first.group === gv.group ? "" : capitalized(gv.group.split(".")[0] ?? "");
    const suffix = ofGroup.version === gv.version ? "" : capitalized(gv.version);
    return prefix + name + suffix;
  }

  /** Types of meta/v1, which is not a served group, come first. */
  #rank({ group, version }: GroupVersion): number {
    return this.#order.findIndex((gv) => gv.group === group && gv.version === version);
  }
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
