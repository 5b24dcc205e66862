import { expect, test } from "vitest";
import { pinnedKey } from "./pinned-key.ts";

interface Asked {
  readonly namespaced?: boolean;
  /** Of the path. */
  readonly namespace?: string;
  readonly name?: string;
  /** Of the field selector. */
  readonly within?: string;
  readonly continueToken?: string;
}

function keyOf({ namespaced = true, namespace = "", name, within, continueToken = "" }: Asked) {
  const predicate = {
    isEmpty: false,
    selects: () => true,
    name,
    namespace: within,
    key: "",
    pin: undefined,
  };
  return pinnedKey({ namespaced }, { namespace, predicate, continueToken });
}

test.each<[title: string, asked: Asked, key: string | undefined]>([
  ["a name in the namespace of the path", { namespace: "one", name: "a" }, "one/a"],
  ["a name and a namespace", { name: "a", within: "two" }, "two/a"],
  ["a name, and another namespace than the path", { namespace: "one", name: "a", within: "two" }, "one/a"],
  ["a name in any namespace", { name: "a" }, undefined],
  ["a name of a cluster-scoped resource", { namespaced: false, name: "a" }, "/a"],
  ["no name", { namespace: "one" }, undefined],
  ["an empty name", { namespace: "one", name: "" }, undefined],
  ["a name that no object can have", { namespace: "one", name: "a/b" }, undefined],
  ["a name, continued", { namespace: "one", name: "a", continueToken: "more" }, undefined],
])("a selector that requires %s reads one key if only that can match", (_title, asked, expected) => {
  const key = keyOf(asked);
  expect(key && `${key.namespace}/${key.name}`).toBe(expected);
});
