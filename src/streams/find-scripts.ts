import { listAt, textAt } from "../apimachinery/fields.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Targets } from "../webhooks/outgoing-targets.ts";
import type { PodScript, ScriptedPods, ScriptTarget } from "../webhooks/pod-script.ts";

/** What tests give for pods and nodes. */
export type Scripts = Pick<Targets<ScriptTarget>, "all" | "onChange">;

type ScriptOf<Type> = Extract<PodScript, { readonly type: Type }>;

/** The scripts of a type for a pod or a node, in the order in which they were given. */
export function scriptsFor<Type extends PodScript["type"]>(
  scripts: Pick<Scripts, "all">,
  object: KubeObject,
  type: Type,
): readonly ScriptOf<Type>[] {
  const isOfType = (script: PodScript): script is ScriptOf<Type> => script.type === type;
  return scripts
    .all()
    .filter(({ pods }) => isScriptFor(pods, object))
    .map(({ script }) => script)
    .filter(isOfType);
}

function isScriptFor({ kind, name, namespace, labels, image }: ScriptedPods, object: KubeObject): boolean {
  const { metadata } = object;
  if (object.kind !== kind || (name !== undefined && metadata.name !== name)) return false;
  if (kind === "Pod" && metadata.namespace !== namespace) return false;
  const own = metadata.labels ?? {};
  if (Object.entries(labels).some(([label, value]) => own[label] !== value)) return false;
  if (image === undefined) return true;
  // A pattern with the flag g or y would continue where its last match ended.
  return listAt(object, "spec", "containers").some(
    (container) => textAt(container, "image").search(image) >= 0,
  );
}
